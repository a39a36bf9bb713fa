"""Routes of the accounts app."""

from .addresses import email_key
from .change_password import change_password
from .core import ratelimit
from .core.errors import NotConfigured
from .core.http.view import (
    Call,
    Caller,
    ServiceView,
    operation,
)
from .credentials import get_mailbox, hit_own_limit
from .deletion import delete_account
from .email_change import confirm_email_change, request_email_change
from .errors import (
    InvalidCredentials,
    PasswordBreached,
    PasswordPolicyViolation,
    UserExists,
    VerificationTokenExpired,
    VerificationTokenInvalid,
)
from .mail.compose import is_mail_on
from .mail.limits import MailKind, mailbox_limit
from .serializers import (
    ChangePasswordInput,
    CurrentPasswordInput,
    MailTokenInput,
    NewEmailInput,
    SignupInput,
    SignupOutput,
    StatusOutput,
)
from .signup import NewAccount, sign_up


class Signup(ServiceView):
    """Sign up."""

    caller = Caller.PUBLIC

    @operation(
        input=SignupInput,
        output=SignupOutput,
        status=201,
        errors=(PasswordPolicyViolation, PasswordBreached, UserExists),
    )
    def post(self, call: Call) -> NewAccount:
        """Make an account with an e-mail address and a password. Issues no tokens: log in next."""
        ratelimit.hit("signup", ratelimit.network_key(call.client.ip), now=call.now)
        return sign_up(**call.body, client=call.client, now=call.now)


class ChangePassword(ServiceView):
    """Change the password."""

    @operation(
        input=ChangePasswordInput,
        output=StatusOutput,
        example={"status": "password changed"},
        errors=(InvalidCredentials, PasswordPolicyViolation, PasswordBreached),
    )
    def post(self, call: Call) -> dict[str, str]:
        """Change the password and end every session, the calling one included: log in again."""
        hit_own_limit(name="password", identity=call.signed_in, now=call.now)
        change_password(identity=call.signed_in, **call.body, client=call.client, now=call.now)
        return {"status": "password changed"}


class DeleteAccount(ServiceView):
    """Delete the account."""

    @operation(
        input=CurrentPasswordInput,
        output=StatusOutput,
        example={"status": "account deleted"},
        errors=(InvalidCredentials,),
    )
    def post(self, call: Call) -> dict[str, str]:
        """Delete the account and everything that belongs to it, for good."""
        hit_own_limit(name="password", identity=call.signed_in, now=call.now)
        delete_account(identity=call.signed_in, **call.body, client=call.client, now=call.now)
        return {"status": "account deleted"}


class RequestEmailChange(ServiceView):
    """Request a change of the e-mail address."""

    @operation(
        input=NewEmailInput, output=StatusOutput, example={"status": "verification sent"}, errors=(NotConfigured,)
    )
    def post(self, call: Call) -> dict[str, str]:
        """Mail a token to the new address, and a notice to the present one; the address changes when it is confirmed."""
        new_email = call.body["new_email"]
        address = ratelimit.network_key(call.client.ip)
        ratelimit.hit_all(
            ("mail_ip", address),
            ("mail", email_key(new_email)),
            ("mail_account", call.user_id),
            mailbox_limit(MailKind.TO_NEW_ADDRESS, new_email),
            mailbox_limit(MailKind.NOTICE, get_mailbox(identity=call.signed_in, now=call.now)),
            now=call.now,
        )
        request_email_change(identity=call.signed_in, new_email=new_email, client=call.client, now=call.now)
        return {"status": "verification sent"}

    def check_feature(self) -> None:
        """Raise NotConfigured while mail is off."""
        if not is_mail_on():
            raise NotConfigured


class ConfirmEmailChange(ServiceView):
    """Confirm a change of the e-mail address."""

    caller = Caller.PUBLIC

    @operation(
        input=MailTokenInput,
        output=StatusOutput,
        example={"status": "email changed"},
        errors=(VerificationTokenInvalid, VerificationTokenExpired, UserExists),
    )
    def post(self, call: Call) -> dict[str, str]:
        """Make the address that the mailed token proves the account's. The token is proof enough."""
        confirm_email_change(token=call.body["token"], client=call.client, now=call.now)
        return {"status": "email changed"}
