"""Routes of recovery codes and of the recovery of accounts."""

from accounts.errors import EmailNotVerified, VerificationTokenExpired, VerificationTokenInvalid
from accounts.proofs.limits import by_own_mailbox
from accounts.proofs.recent_login import needs_recent_login
from accounts.state.mail_tokens import MAILED_TOKEN
from core.errors import NotConfigured
from core.http.answers import Status
from core.http.call import Call
from core.http.limits import by_caller, by_network
from core.http.view import Auth, ServiceView, operation
from core.ratelimit import Limit
from mail.limits import CONFIRMED_NOTICE, MailKind
from sessions_app.errors import InvalidPendingLogin
from sessions_app.families.issuing import TokenPair
from sessions_app.logins.pending import COMPLETION_LIMITS, complete

from ..conf import is_recovery_on
from ..serializers import PendingTokenInput
from ..views import FactorView, get_pending_login
from . import account_recovery, codes
from .errors import InvalidRecoveryCode, RecoveryCodesNotConfigured
from .serializers import MailedTokenInput, PendingRecoveryCodeInput


class _RecoveryView(FactorView):
    not_configured = RecoveryCodesNotConfigured


class CompleteRecoveryCodeStep(_RecoveryView):
    """Complete a login with a recovery code."""

    auth = Auth.PUBLIC

    @operation(
        input=PendingRecoveryCodeInput,
        output=TokenPair,
        errors=(RecoveryCodesNotConfigured, InvalidPendingLogin, InvalidRecoveryCode, EmailNotVerified),
        limits=(*COMPLETION_LIMITS, CONFIRMED_NOTICE),
    )
    def post(self, call: Call) -> TokenPair:
        """Complete a login that waits for a second factor, and return its tokens. Each code works once."""
        pending = get_pending_login(call)
        proof = codes.RecoveryProof(code=call.body["code"])
        return complete(pending=pending, proof=proof, client=call.client, now=call.now)


class _AccountRecoveryView(ServiceView):
    """A route of the recovery of accounts. It is public, and exists only while RECOVERY_WAIT_HOURS and mail are on."""

    auth = Auth.PUBLIC

    def check_feature(self) -> None:
        """Raise NotConfigured while the setting or mail is off."""
        if not is_recovery_on():
            raise NotConfigured


class RequestRecovery(_AccountRecoveryView):
    """Start the recovery of an account that lost its second factors."""

    @operation(
        input=PendingTokenInput,
        output=account_recovery.RecoveryStarted,
        errors=(NotConfigured, InvalidPendingLogin),
        limits=(*COMPLETION_LIMITS, *account_recovery.START_LIMITS),
    )
    def post(self, call: Call) -> account_recovery.RecoveryStarted:
        """Start the wait after which a mailed link removes the second factors.

        The service mails the account owner at once and daily. The pending token stays valid. A second request changes
        nothing. A completed login, a refresh or reauthentication of a session and a change of the password end the
        recovery.
        """
        pending = get_pending_login(call)
        return account_recovery.request_recovery(pending=pending, client=call.client, now=call.now)


class CancelRecovery(_AccountRecoveryView):
    """Cancel the recovery of an account."""

    done = Status(status="recovery cancelled")

    @operation(
        input=MailedTokenInput,
        output=Status,
        example=done,
        errors=(NotConfigured, VerificationTokenInvalid, VerificationTokenExpired),
        limits=MAILED_TOKEN,
    )
    def post(self, call: Call) -> Status:
        """Cancel the recovery by the token from one of its mails. The second factors stay."""
        account_recovery.cancel_recovery(token=call.body["token"], client=call.client, now=call.now)
        return self.done


class CompleteRecovery(_AccountRecoveryView):
    """Complete the recovery of an account."""

    done = Status(status="recovery completed")

    @operation(
        input=MailedTokenInput,
        output=Status,
        example=done,
        errors=(NotConfigured, VerificationTokenInvalid, VerificationTokenExpired),
        limits=MAILED_TOKEN,
    )
    def post(self, call: Call) -> Status:
        """Remove the second factors and recovery codes by the token from the last mail. The user can then log in."""
        account_recovery.complete_recovery(token=call.body["token"], client=call.client, now=call.now)
        return self.done


class GenerateRecoveryCodes(_RecoveryView):
    """Create recovery codes."""

    @needs_recent_login
    @operation(
        output=codes.RecoveryCodes,
        errors=(RecoveryCodesNotConfigured,),
        limits=(by_network(Limit.MAIL_IP), by_caller(Limit.MAIL_ACCOUNT), by_own_mailbox(MailKind.NOTICE)),
    )
    def post(self, call: Call) -> codes.RecoveryCodes:
        """Create ten recovery codes, which replace the older ones. No other answer contains these codes."""
        return codes.generate(caller=call.signed_in, client=call.client, now=call.now)
