"""Routes of the mfa app."""

from typing import ClassVar

from django.http import HttpResponse

from accounts.errors import EmailNotVerified, InvalidCredentials, VerificationTokenExpired, VerificationTokenInvalid
from accounts.proofs.credentials import get_mailbox, hit_own_limit
from accounts.proofs.recent_login import needs_recent_login
from core import ratelimit
from core.errors import BadRequest, NotConfigured, NotFound, ServiceError
from core.http.answers import Status, dump
from core.http.schema import ServiceSchema
from core.http.view import (
    Call,
    Caller,
    ServiceView,
    operation,
)
from mail.limits import MailKind, mailbox_limit
from sessions_app.errors import InvalidPendingLogin
from sessions_app.families.issuing import TokenPair
from sessions_app.logins.pending import complete, get_pending_within_limits
from sessions_app.logins.reauthentication import ACT
from sessions_app.models import PendingLogin

from .conf import is_recovery_on, keys, settings
from .errors import (
    InvalidCeremonyToken,
    InvalidPasskeyResponse,
    InvalidRecoveryCode,
    InvalidTotpCode,
    NoPasskeysEnrolled,
    PasskeysNotConfigured,
    RecoveryCodesNotConfigured,
    TotpAlreadyEnabled,
    TotpNotConfigured,
    TotpNotEnabled,
)
from .passkeys import factor as passkeys
from .passkeys.ceremonies import PASSKEY_ONLY, REAUTHENTICATION, REGISTRATION, CeremonyOptions
from .recovery import account_recovery
from .recovery import codes as recovery_codes
from .serializers import (
    BeginPasskeyInput,
    CodeInput,
    MailedTokenInput,
    NewPasskeyInput,
    PasskeyOnlyInput,
    PasswordInput,
    PendingCodeInput,
    PendingPasskeyInput,
    PendingRecoveryCodeInput,
    PendingTokenInput,
)
from .totp import factor as totp

QR_CODE = '<svg xmlns="http://www.w3.org/2000/svg" width="196" height="196" class="segno">…</svg>'
IMAGE_POLICY = "default-src 'none'; frame-ancestors 'none'"


class _FactorView(ServiceView):
    """A route that exists only while ENCRYPTION_KEY is set."""

    not_configured: ClassVar[type[ServiceError]]

    def check_feature(self) -> None:
        """Raise the factor's own 404 error when the deployment has no encryption key."""
        if not keys():
            raise self.not_configured


class _TotpView(_FactorView):
    not_configured = TotpNotConfigured


class _PasskeyView(_FactorView):
    not_configured = PasskeysNotConfigured


class _RecoveryView(_FactorView):
    not_configured = RecoveryCodesNotConfigured


def _get_pending_login(call: Call) -> PendingLogin:
    """Return the login of the pending token in the body. Raises RateLimited after too many attempts."""
    return get_pending_within_limits(pending_token=call.body["pending_token"], client=call.client, now=call.now)


def _own_notice_limit(call: Call) -> tuple[str, str]:
    """Return the rate limit for notices to the caller's own mailbox."""
    return mailbox_limit(MailKind.NOTICE, get_mailbox(identity=call.signed_in, now=call.now))


class LoginTotp(_TotpView):
    """Complete a login with an authenticator code."""

    caller = Caller.PUBLIC

    @operation(
        input=PendingCodeInput,
        output=TokenPair,
        errors=(TotpNotConfigured, InvalidPendingLogin, TotpNotEnabled, InvalidTotpCode, EmailNotVerified),
    )
    def post(self, call: Call) -> TokenPair:
        """Complete a login that waits for a second factor, and return its tokens. Each code works once."""
        pending = _get_pending_login(call)
        if not totp.is_enabled(account=pending.account):
            raise TotpNotEnabled
        proof = totp.TotpProof(code=call.body["code"])
        return complete(pending=pending, proof=proof, client=call.client, now=call.now)


class BeginLoginPasskey(_PasskeyView):
    """Begin the passkey step of a login."""

    caller = Caller.PUBLIC

    @operation(
        input=PendingTokenInput,
        output=CeremonyOptions,
        errors=(PasskeysNotConfigured, InvalidPendingLogin, NoPasskeysEnrolled),
    )
    def post(self, call: Call) -> CeremonyOptions:
        """Return options for `PublicKeyCredential.parseRequestOptionsFromJSON()`. The pending token stays valid."""
        from .passkeys import login as passkey_login  # noqa: PLC0415 - the library takes 5 MB, and few deployments use passkeys

        return passkey_login.begin_login(pending=_get_pending_login(call), now=call.now)


class FinishLoginPasskey(_PasskeyView):
    """Complete a login with a passkey."""

    caller = Caller.PUBLIC

    @operation(
        input=PendingPasskeyInput,
        output=TokenPair,
        errors=(
            PasskeysNotConfigured,
            InvalidPendingLogin,
            NoPasskeysEnrolled,
            InvalidCeremonyToken,
            InvalidPasskeyResponse,
            EmailNotVerified,
        ),
    )
    def post(self, call: Call) -> TokenPair:
        """Complete a login that waits for a second factor, and return its tokens.

        The ceremony token works once, even if the passkey's response is refused. Begin a new ceremony for another try.
        """
        from .passkeys import login as passkey_login  # noqa: PLC0415 - as above

        pending = _get_pending_login(call)
        token = call.body["ceremony_token"]
        challenge = passkey_login.finish_login_ceremony(pending=pending, ceremony_token=token, now=call.now)
        proof = passkey_login.PasskeyProof(credential=call.body["credential"], challenge=challenge)
        return complete(pending=pending, proof=proof, client=call.client, now=call.now)


class BeginPasskeyOnlyLogin(_PasskeyView):
    """Begin a login with a passkey alone."""

    caller = Caller.PUBLIC

    @operation(output=CeremonyOptions, example=PASSKEY_ONLY, errors=(PasskeysNotConfigured,))
    def post(self, call: Call) -> CeremonyOptions:
        """Return options for `PublicKeyCredential.parseRequestOptionsFromJSON()`. They permit every discoverable passkey."""
        from .passkeys import passkey_only_login  # noqa: PLC0415 - as above

        ratelimit.hit("login_ip", ratelimit.network_key(call.client.ip), now=call.now)
        return passkey_only_login.begin_login(now=call.now)


class FinishPasskeyOnlyLogin(_PasskeyView):
    """Log in with a passkey alone."""

    caller = Caller.PUBLIC

    @operation(
        input=PasskeyOnlyInput,
        output=TokenPair,
        errors=(PasskeysNotConfigured, InvalidCeremonyToken, InvalidPasskeyResponse, EmailNotVerified),
    )
    def post(self, call: Call) -> TokenPair:
        """Return the tokens of the account to which the passkey belongs. The login needs no second factor.

        The passkey must verify its user, and must be one with `signs_in_alone`. The ceremony token works once, even if the
        passkey's response is refused. Begin a new ceremony for another try.
        """
        from .passkeys import passkey_only_login  # noqa: PLC0415 - as above

        ratelimit.hit("login_ip", ratelimit.network_key(call.client.ip), now=call.now)
        return passkey_only_login.log_in(**call.body, client=call.client, now=call.now)


class LoginRecoveryCode(_RecoveryView):
    """Complete a login with a recovery code."""

    caller = Caller.PUBLIC

    @operation(
        input=PendingRecoveryCodeInput,
        output=TokenPair,
        errors=(RecoveryCodesNotConfigured, InvalidPendingLogin, InvalidRecoveryCode, EmailNotVerified),
    )
    def post(self, call: Call) -> TokenPair:
        """Complete a login that waits for a second factor, and return its tokens. Each code works once."""
        pending = _get_pending_login(call)
        proof = recovery_codes.RecoveryProof(code=call.body["code"])
        return complete(pending=pending, proof=proof, client=call.client, now=call.now)


class BeginReauthenticatePasskey(_PasskeyView):
    """Begin to reauthenticate with a passkey."""

    @operation(
        output=CeremonyOptions,
        example=REAUTHENTICATION,
        errors=(PasskeysNotConfigured, NoPasskeysEnrolled),
    )
    def post(self, call: Call) -> CeremonyOptions:
        """Return options for `PublicKeyCredential.parseRequestOptionsFromJSON()`. The passkey must verify the user."""
        from .passkeys import login as passkey_login  # noqa: PLC0415 - as above

        ratelimit.hit("completion_ip", ratelimit.network_key(call.client.ip), now=call.now)
        hit_own_limit(name="completion", act=ACT, identity=call.signed_in, now=call.now)
        return passkey_login.begin_reauthentication(identity=call.signed_in, now=call.now)


class _AccountRecoveryView(ServiceView):
    """A route of the recovery of accounts. It is public, and exists only while RECOVERY_WAIT_HOURS and mail are on."""

    caller = Caller.PUBLIC

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
    )
    def post(self, call: Call) -> account_recovery.RecoveryStarted:
        """Start the wait after which a mailed link removes the second factors.

        The service mails the account owner at once and daily. The pending token stays valid. A second request changes
        nothing. A completed login, a refresh or reauthentication of a session and a change of the password end the
        recovery.
        """
        pending = _get_pending_login(call)
        return account_recovery.request_recovery(pending=pending, client=call.client, now=call.now)


class CancelRecovery(_AccountRecoveryView):
    """Cancel the recovery of an account."""

    done = Status(status="recovery cancelled")

    @operation(
        input=MailedTokenInput,
        output=Status,
        example=done,
        errors=(NotConfigured, VerificationTokenInvalid, VerificationTokenExpired),
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
    )
    def post(self, call: Call) -> Status:
        """Remove the second factors and recovery codes by the token from the last mail. The user can then log in."""
        account_recovery.complete_recovery(token=call.body["token"], client=call.client, now=call.now)
        return self.done


class EnrollTotp(_TotpView):
    """Set up an authenticator app."""

    @needs_recent_login
    @operation(output=totp.Otpauth, errors=(TotpNotConfigured, TotpAlreadyEnabled))
    def post(self, call: Call) -> totp.Otpauth:
        """Create a secret for the app. The secret replaces an earlier one that is not confirmed.

        Logins need no code before the app is confirmed.
        """
        return totp.enroll(identity=call.signed_in, now=call.now)


class TotpQrCode(_TotpView):
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
        response = HttpResponse(totp.draw_qr_code(identity=call.signed_in, now=call.now), content_type="image/svg+xml")
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
    )
    def post(self, call: Call) -> Status:
        """Confirm with a code that the app has the secret. From now on, logins need a second factor."""
        ratelimit.hit_all(_own_notice_limit(call), now=call.now)
        totp.confirm(identity=call.signed_in, code=call.body["code"], client=call.client, now=call.now)
        return self.done


class DisableTotp(_TotpView):
    """Remove an authenticator app."""

    done = Status(status="totp disabled")

    @needs_recent_login
    @operation(
        input=PasswordInput,
        output=Status,
        example=done,
        errors=(TotpNotConfigured, TotpNotEnabled, InvalidCredentials),
    )
    def post(self, call: Call) -> Status:
        """Remove the authenticator app. Logins no longer ask for its codes."""
        hit_own_limit(name="password", identity=call.signed_in, now=call.now)
        totp.disable(identity=call.signed_in, password=call.body["password"], client=call.client, now=call.now)
        return self.done


class BeginRegisterPasskey(_PasskeyView):
    """Begin to register a passkey."""

    @needs_recent_login
    @operation(
        input=BeginPasskeyInput,
        output=CeremonyOptions,
        example=REGISTRATION,
        errors=(BadRequest, PasskeysNotConfigured),
    )
    def post(self, call: Call) -> CeremonyOptions:
        """Return options for `PublicKeyCredential.parseCreationOptionsFromJSON()`.

        The error is `bad_request` if the account already has the maximum number of passkeys. If `conditional` is true,
        it is also `bad_request` unless the latest proof of the session is a login by password. That login must be at
        most five minutes old.
        """
        from .passkeys import registration as passkey_registration  # noqa: PLC0415 - as above

        return passkey_registration.begin_registration(identity=call.signed_in, **call.body, now=call.now)


class FinishRegisterPasskey(_PasskeyView):
    """Register a passkey."""

    done = Status(status="passkey registered")

    @needs_recent_login
    @operation(
        input=NewPasskeyInput,
        output=Status,
        example=done,
        errors=(PasskeysNotConfigured, InvalidCeremonyToken, InvalidPasskeyResponse),
    )
    def post(self, call: Call) -> Status:
        """Add the passkey to the account. From now on, logins need a second factor.

        The ceremony token works once, even if the passkey's response is refused. Begin a new ceremony for another try.
        """
        from .passkeys import registration as passkey_registration  # noqa: PLC0415 - as above

        ratelimit.hit_all(_own_notice_limit(call), now=call.now)
        passkey_registration.finish_registration(identity=call.signed_in, **call.body, client=call.client, now=call.now)
        return self.done


class ListPasskeys(_PasskeyView):
    """List the caller's passkeys."""

    @operation(output=list[passkeys.ListedPasskey], errors=(PasskeysNotConfigured,))
    def get(self, call: Call) -> list[passkeys.ListedPasskey]:
        """List the passkeys, the newest first."""
        return passkeys.list_passkeys(user_id=call.user_id)


class SignalPasskeys(_PasskeyView):
    """List the caller's passkeys for a passkey manager."""

    @operation(output=passkeys.AcceptedPasskeys, errors=(PasskeysNotConfigured,))
    def get(self, call: Call) -> passkeys.AcceptedPasskeys:
        """Return the argument of `PublicKeyCredential.signalAllAcceptedCredentials()`.

        The user's passkey manager then no longer offers the account's removed passkeys.
        """
        return passkeys.list_accepted(user_id=call.user_id)


class RelatedOrigins(ServiceView):
    """Get the other origins that may use the passkeys (WebAuthn Level 3, 5.11.1)."""

    caller = Caller.PUBLIC
    schema = ServiceSchema(common=())

    @operation(output=HttpResponse, example={"origins": ["https://example.org"]}, errors=(NotFound,))
    def get(self, call: Call) -> HttpResponse:
        """Return the origins of WEBAUTHN_RELATED_ORIGINS. Browsers read them before they use a passkey on another domain."""
        origins = settings().webauthn_related_origins
        if not origins:
            raise NotFound
        return HttpResponse(dump({"origins": origins}), content_type="application/json")


class RemovePasskey(_PasskeyView):
    """Remove a passkey."""

    done = Status(status="passkey removed")

    @needs_recent_login
    @operation(
        input=PasswordInput,
        output=Status,
        example=done,
        errors=(PasskeysNotConfigured, InvalidCredentials, NotFound),
    )
    def delete(self, call: Call) -> Status:
        """Remove the passkey. Logins no longer accept it."""
        hit_own_limit(name="password", identity=call.signed_in, now=call.now)
        passkeys.remove(
            identity=call.signed_in,
            credential_id=call.path["credential_id"],
            password=call.body["password"],
            client=call.client,
            now=call.now,
        )
        return self.done


class GenerateRecoveryCodes(_RecoveryView):
    """Create recovery codes."""

    @needs_recent_login
    @operation(output=recovery_codes.RecoveryCodes, errors=(RecoveryCodesNotConfigured,))
    def post(self, call: Call) -> recovery_codes.RecoveryCodes:
        """Create ten recovery codes, which replace the older ones. No other answer contains these codes."""
        address = ratelimit.network_key(call.client.ip)
        ratelimit.hit_all(("mail_ip", address), ("mail_account", call.user_id), _own_notice_limit(call), now=call.now)
        return recovery_codes.generate(identity=call.signed_in, client=call.client, now=call.now)
