"""Routes of authenticator apps."""

from django.http import HttpResponse

from accounts.errors import EmailNotVerified, InvalidCredentials, ReauthenticationRequired
from accounts.proofs.limits import by_account, by_own_mailbox, signed_in_account
from accounts.proofs.recent_login import needs_recent_login
from core.http.answers import Status
from core.http.call import Call
from core.http.view import Auth, operation
from core.ratelimit import Limit
from mail.limits import CONFIRMED_NOTICE, MailKind
from sessions_app.errors import InvalidPendingLogin
from sessions_app.families.issuing import TokenPair
from sessions_app.logins.pending import COMPLETION_LIMITS, complete

from ..serializers import PasswordInput
from ..views import FactorView, get_pending_login
from . import factor
from .errors import InvalidTotpCode, TotpAlreadyEnabled, TotpNotConfigured, TotpNotEnabled
from .serializers import CodeInput, PendingCodeInput

QR_CODE = '<svg xmlns="http://www.w3.org/2000/svg" width="196" height="196" class="segno">…</svg>'
IMAGE_POLICY = "default-src 'none'; frame-ancestors 'none'"


class _TotpView(FactorView):
    not_configured = TotpNotConfigured


class CompleteTotpStep(_TotpView):
    """Complete a login with an authenticator code."""

    auth = Auth.PUBLIC

    @operation(
        input=PendingCodeInput,
        output=TokenPair,
        errors=(TotpNotConfigured, InvalidPendingLogin, TotpNotEnabled, InvalidTotpCode, EmailNotVerified),
        limits=COMPLETION_LIMITS,
    )
    def post(self, call: Call) -> TokenPair:
        """Complete a login that waits for a second factor, and return its tokens. Each code works once."""
        pending = get_pending_login(call)
        proof = factor.TotpProof(code=call.body["code"])
        return complete(pending=pending, proof=proof, client=call.client, now=call.now)


class EnrollTotp(_TotpView):
    """Set up an authenticator app."""

    @needs_recent_login
    @operation(output=factor.Otpauth, errors=(TotpNotConfigured, TotpAlreadyEnabled))
    def post(self, call: Call) -> factor.Otpauth:
        """Create a secret for the app. The secret replaces an earlier one that is not confirmed.

        Logins need no code before the app is confirmed.
        """
        return factor.enroll(caller=call.signed_in, now=call.now)


class GetTotpQrCode(_TotpView):
    """Get the QR code for an authenticator app."""

    @needs_recent_login
    @operation(
        output=HttpResponse,
        media_type="image/svg+xml",
        example=QR_CODE,
        errors=(TotpNotConfigured, TotpNotEnabled, TotpAlreadyEnabled),
    )
    def get(self, call: Call) -> HttpResponse:
        """Return the QR code of the `otpauth_url`, until the app is confirmed."""
        response = HttpResponse(factor.draw_qr_code(caller=call.signed_in, now=call.now), content_type="image/svg+xml")
        response.headers["Content-Security-Policy"] = IMAGE_POLICY
        return response


class ConfirmTotp(_TotpView):
    """Confirm an authenticator app."""

    done = Status(status="totp enabled")

    @needs_recent_login
    @operation(
        input=CodeInput,
        output=Status,
        example=done,
        errors=(TotpNotConfigured, TotpNotEnabled, TotpAlreadyEnabled, InvalidTotpCode),
        limits=(by_own_mailbox(MailKind.NOTICE),),
    )
    def post(self, call: Call) -> Status:
        """Confirm with a code that the app has the secret. From now on, logins need a second factor."""
        factor.confirm(caller=call.signed_in, code=call.body["code"], client=call.client, now=call.now)
        return self.done


class DisableTotp(_TotpView):
    """Remove an authenticator app."""

    done = Status(status="totp disabled")

    @operation(
        input=PasswordInput,
        output=Status,
        example=done,
        errors=(TotpNotConfigured, TotpNotEnabled, InvalidCredentials, ReauthenticationRequired),
        limits=(by_account(Limit.PASSWORD), CONFIRMED_NOTICE),
    )
    def post(self, call: Call) -> Status:
        """Remove the authenticator app. Logins no longer ask for its codes."""
        factor.disable(
            account=signed_in_account(call),
            caller=call.signed_in,
            password=call.body["password"],
            client=call.client,
            now=call.now,
        )
        return self.done
