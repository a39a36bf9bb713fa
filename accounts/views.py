"""Routes of the accounts app."""

from core.errors import NotConfigured
from core.http.answers import Status
from core.http.call import Call
from core.http.limits import CountedByAct, by_caller, by_network
from core.http.view import Auth, ServiceView, operation
from core.ratelimit import Limit
from mail.compose import is_mail_on
from mail.limits import CONFIRMED_NOTICE, LINK_REQUEST_LIMITS, NEW_ADDRESS_LIMITS, MailKind

from .acts.change_password import change_password
from .acts.data_export import DataExport, export_data
from .acts.deletion import delete_account
from .acts.email_change import confirm_email_change, request_email_change
from .acts.email_undo import undo_email_change
from .acts.email_verification import EmailVerified, VerificationAnswer, confirm_verification, request_verification
from .acts.password_reset import request_password_reset, reset_password
from .acts.signup import NewAccount, sign_up
from .errors import (
    AccountInUse,
    InvalidCredentials,
    PasswordBreached,
    PasswordPolicyViolation,
    ReauthenticationRequired,
    SignupClosed,
    UserExists,
    VerificationTokenExpired,
    VerificationTokenInvalid,
)
from .proofs.limits import by_account, by_own_mailbox
from .proofs.recent_login import needs_recent_login
from .serializers import (
    AccountProofInput,
    ChangePasswordInput,
    CurrentPasswordInput,
    ExportQuery,
    ForgotPasswordInput,
    MailTokenInput,
    NewEmailInput,
    ResetPasswordInput,
    SignupInput,
)


class SignUp(ServiceView):
    """Sign up."""

    auth = Auth.PUBLIC

    @operation(
        input=SignupInput,
        output=NewAccount,
        status=201,
        errors=(SignupClosed, PasswordPolicyViolation, PasswordBreached, UserExists),
        limits=(by_network(Limit.SIGNUP),),
    )
    def post(self, call: Call) -> NewAccount:
        """Create an account with an e-mail address and a password. The answer contains no tokens, so log in next."""
        return sign_up(**call.body, client=call.client, now=call.now)


class ChangePassword(ServiceView):
    """Change the password."""

    done = Status(status="password changed")

    @operation(
        input=ChangePasswordInput,
        output=Status,
        example=done,
        errors=(InvalidCredentials, ReauthenticationRequired, PasswordPolicyViolation, PasswordBreached),
        limits=(by_account(Limit.PASSWORD), CONFIRMED_NOTICE),
    )
    def post(self, call: Call) -> Status:
        """Change the password and end every session, including the session of this request. Log in again afterwards."""
        change_password(caller=call.signed_in, **call.body, client=call.client, now=call.now)
        return self.done


class _PasswordResetView(ServiceView):
    """A route of password resets. It is public, and exists only while mail is on."""

    auth = Auth.PUBLIC

    def check_feature(self) -> None:
        """Raise NotConfigured while mail is off."""
        if not is_mail_on():
            raise NotConfigured


class RequestPasswordReset(_PasswordResetView):
    """Request a password reset."""

    done = Status(status="reset sent")

    @operation(
        input=ForgotPasswordInput, output=Status, example=done, errors=(NotConfigured,), limits=LINK_REQUEST_LIMITS
    )
    def post(self, call: Call) -> Status:
        """Mail a link to the account with this address, if there is one; the answer is always the same."""
        request_password_reset(**call.body, client=call.client, now=call.now)
        return self.done


class ResetPassword(_PasswordResetView):
    """Reset a forgotten password."""

    done = Status(status="password reset")

    @operation(
        input=ResetPasswordInput,
        output=Status,
        example=done,
        errors=(
            NotConfigured,
            VerificationTokenInvalid,
            VerificationTokenExpired,
            PasswordPolicyViolation,
            PasswordBreached,
        ),
        limits=(CountedByAct(Limit.PASSWORD),),
    )
    def post(self, call: Call) -> Status:
        """Set the password by a mailed token and end every session: log in next. A refused password keeps the token."""
        reset_password(**call.body, client=call.client, now=call.now)
        return self.done


class DeleteAccount(ServiceView):
    """Delete the account."""

    done = Status(status="account deleted")

    @operation(
        input=CurrentPasswordInput,
        output=Status,
        example=done,
        errors=(InvalidCredentials, ReauthenticationRequired, AccountInUse),
        limits=(by_account(Limit.PASSWORD), CONFIRMED_NOTICE),
    )
    def post(self, call: Call) -> Status:
        """Delete the account and its data permanently."""
        delete_account(caller=call.signed_in, **call.body, client=call.client, now=call.now)
        return self.done


class RequestEmailChange(ServiceView):
    """Request a change of the e-mail address."""

    done = Status(status="verification sent")

    @needs_recent_login
    @operation(
        input=NewEmailInput,
        output=Status,
        example=done,
        errors=(NotConfigured,),
        limits=(*NEW_ADDRESS_LIMITS, by_caller(Limit.MAIL_ACCOUNT), by_own_mailbox(MailKind.NOTICE)),
    )
    def post(self, call: Call) -> Status:
        """Send a token to the new address and a notice to the current address.

        The account keeps its current address until the token is confirmed.
        """
        request_email_change(caller=call.signed_in, **call.body, client=call.client, now=call.now)
        return self.done

    def check_feature(self) -> None:
        """Raise NotConfigured while mail is off."""
        if not is_mail_on():
            raise NotConfigured


class ConfirmEmailChange(ServiceView):
    """Confirm a change of the e-mail address."""

    auth = Auth.PUBLIC
    takes_token = True

    done = Status(status="email changed")

    @operation(
        input=AccountProofInput,
        output=Status,
        example=done,
        errors=(VerificationTokenInvalid, VerificationTokenExpired, InvalidCredentials, UserExists),
        limits=(CountedByAct(Limit.PASSWORD),),
    )
    def post(self, call: Call) -> Status:
        """Change the account's address to the address that received the token.

        The token is enough. With the password or an access token of the account, the address is also verified.
        """
        confirm_email_change(
            token=call.body["token"],
            password=call.body.get("password"),
            caller=call.caller,
            client=call.client,
            now=call.now,
        )
        return self.done


class UndoEmailChange(ServiceView):
    """Undo a change of the e-mail address."""

    auth = Auth.PUBLIC

    done = Status(status="email change undone")

    @operation(
        input=MailTokenInput,
        output=Status,
        example=done,
        errors=(VerificationTokenInvalid, VerificationTokenExpired, UserExists),
        limits=(by_network(Limit.MAIL_IP),),
    )
    def post(self, call: Call) -> Status:
        """Restore the address by the token from the notice of its change.

        Every session ends, the password no longer works, and credentials that were added since end too. Reset the
        password next.
        """
        undo_email_change(token=call.body["token"], client=call.client, now=call.now)
        return self.done


class RequestEmailVerification(ServiceView):
    """Request a link that verifies the address."""

    @operation(
        output=VerificationAnswer,
        errors=(NotConfigured,),
        limits=(by_network(Limit.MAIL_IP), by_caller(Limit.MAIL_ACCOUNT), by_own_mailbox(MailKind.VERIFICATION)),
    )
    def post(self, call: Call) -> VerificationAnswer:
        """Mail a link to the account's address. The answer is `email verified`, without a mail, if it is verified."""
        return request_verification(caller=call.signed_in, client=call.client, now=call.now)

    def check_feature(self) -> None:
        """Raise NotConfigured while mail is off."""
        if not is_mail_on():
            raise NotConfigured


class ConfirmEmailVerification(ServiceView):
    """Verify the address."""

    auth = Auth.PUBLIC
    takes_token = True

    @operation(
        input=AccountProofInput,
        output=EmailVerified,
        errors=(VerificationTokenInvalid, VerificationTokenExpired, InvalidCredentials),
        limits=(CountedByAct(Limit.PASSWORD),),
    )
    def post(self, call: Call) -> EmailVerified:
        """Verify the address that the mailed token proves. The password or an access token proves the account."""
        return confirm_verification(
            token=call.body["token"],
            password=call.body.get("password"),
            caller=call.caller,
            client=call.client,
            now=call.now,
        )


class ExportData(ServiceView):
    """Get everything that the service holds about the caller."""

    @needs_recent_login
    @operation(query=ExportQuery, output=DataExport, limits=(by_account(Limit.EXPORT),))
    def get(self, call: Call) -> DataExport:
        """Return all rows about the caller, without secrets, in pages of at most 1,000 rows.

        Most callers get everything on the first page. A client repeats the call with `cursor` until `next_cursor` is
        null. The first page is recorded as an audit event.
        """
        return export_data(caller=call.signed_in, cursor=call.query["cursor"], client=call.client, now=call.now)
