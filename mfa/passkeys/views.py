"""Routes of passkeys."""

from django.http import HttpResponse

from accounts.errors import EmailNotVerified, InvalidCredentials, ReauthenticationRequired
from accounts.proofs.limits import by_account, by_own_mailbox, signed_in_account
from accounts.proofs.recent_login import needs_recent_login
from core.errors import BadRequest, NotFound
from core.http.answers import Status, dump
from core.http.call import Call
from core.http.limits import EdgeAlone, by_network
from core.http.schema import ServiceSchema
from core.http.view import Auth, ServiceView, operation
from core.ratelimit import Limit
from mail.limits import CONFIRMED_NOTICE, MailKind
from sessions_app.errors import InvalidPendingLogin
from sessions_app.families.issuing import TokenPair
from sessions_app.logins.pending import COMPLETION_LIMITS, complete
from sessions_app.logins.reauthentication import REAUTHENTICATION_LIMITS

from ..conf import settings
from ..serializers import PasswordInput, PendingTokenInput
from ..views import FactorView, get_pending_login
from . import factor
from .ceremonies import PASSKEY_ONLY, REAUTHENTICATION, REGISTRATION, CeremonyOptions
from .errors import InvalidCeremonyToken, InvalidPasskeyResponse, NoPasskeysEnrolled, PasskeysNotConfigured
from .serializers import BeginPasskeyInput, NewPasskeyInput, PasskeyOnlyInput, PendingPasskeyInput


class _PasskeyView(FactorView):
    not_configured = PasskeysNotConfigured


class BeginPasskeyStep(_PasskeyView):
    """Begin the passkey step of a login."""

    auth = Auth.PUBLIC

    @operation(
        input=PendingTokenInput,
        output=CeremonyOptions,
        errors=(PasskeysNotConfigured, InvalidPendingLogin, NoPasskeysEnrolled),
        limits=COMPLETION_LIMITS,
    )
    def post(self, call: Call) -> CeremonyOptions:
        """Return options for `PublicKeyCredential.parseRequestOptionsFromJSON()`. The pending token stays valid."""
        from . import login as passkey_login  # noqa: PLC0415 - the library takes 5 MB, and few deployments use passkeys

        return passkey_login.begin_login(pending=get_pending_login(call), now=call.now)


class FinishPasskeyStep(_PasskeyView):
    """Complete a login with a passkey."""

    auth = Auth.PUBLIC

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
        limits=COMPLETION_LIMITS,
    )
    def post(self, call: Call) -> TokenPair:
        """Complete a login that waits for a second factor, and return its tokens.

        The ceremony token works once, even if the passkey's response is refused. Begin a new ceremony for another try.
        """
        from . import login as passkey_login  # noqa: PLC0415 - as above

        pending = get_pending_login(call)
        token = call.body["ceremony_token"]
        challenge = passkey_login.finish_login_ceremony(pending=pending, ceremony_token=token, now=call.now)
        proof = passkey_login.PasskeyProof(credential=call.body["credential"], challenge=challenge)
        return complete(pending=pending, proof=proof, client=call.client, now=call.now)


class BeginPasskeyOnlyLogin(_PasskeyView):
    """Begin a login with a passkey alone."""

    auth = Auth.PUBLIC

    @operation(
        output=CeremonyOptions,
        example=PASSKEY_ONLY,
        errors=(PasskeysNotConfigured,),
        limits=(by_network(Limit.LOGIN_IP),),
    )
    def post(self, call: Call) -> CeremonyOptions:
        """Return options for `PublicKeyCredential.parseRequestOptionsFromJSON()`. They permit every discoverable passkey."""
        from . import passkey_only_login  # noqa: PLC0415 - as above

        return passkey_only_login.begin_login(now=call.now)


class FinishPasskeyOnlyLogin(_PasskeyView):
    """Log in with a passkey alone."""

    auth = Auth.PUBLIC

    @operation(
        input=PasskeyOnlyInput,
        output=TokenPair,
        errors=(PasskeysNotConfigured, InvalidCeremonyToken, InvalidPasskeyResponse, EmailNotVerified),
        limits=(by_network(Limit.LOGIN_IP),),
    )
    def post(self, call: Call) -> TokenPair:
        """Return the tokens of the account to which the passkey belongs. The login needs no second factor.

        The passkey must verify its user, and must be one with `signs_in_alone`. The ceremony token works once, even if the
        passkey's response is refused. Begin a new ceremony for another try.
        """
        from . import passkey_only_login  # noqa: PLC0415 - as above

        return passkey_only_login.log_in(**call.body, client=call.client, now=call.now)


class BeginPasskeyReauthentication(_PasskeyView):
    """Begin to reauthenticate with a passkey."""

    @operation(
        output=CeremonyOptions,
        example=REAUTHENTICATION,
        errors=(PasskeysNotConfigured, NoPasskeysEnrolled),
        limits=REAUTHENTICATION_LIMITS,
    )
    def post(self, call: Call) -> CeremonyOptions:
        """Return options for `PublicKeyCredential.parseRequestOptionsFromJSON()`. The passkey must verify the user."""
        from . import login as passkey_login  # noqa: PLC0415 - as above

        return passkey_login.begin_reauthentication(caller=call.signed_in, now=call.now)


class BeginPasskeyRegistration(_PasskeyView):
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
        from . import registration as passkey_registration  # noqa: PLC0415 - as above

        return passkey_registration.begin_registration(caller=call.signed_in, **call.body, now=call.now)


class FinishPasskeyRegistration(_PasskeyView):
    """Register a passkey."""

    done = Status(status="passkey registered")

    @needs_recent_login
    @operation(
        input=NewPasskeyInput,
        output=Status,
        example=done,
        errors=(PasskeysNotConfigured, InvalidCeremonyToken, InvalidPasskeyResponse),
        limits=(by_own_mailbox(MailKind.NOTICE),),
    )
    def post(self, call: Call) -> Status:
        """Add the passkey to the account. From now on, logins need a second factor.

        The ceremony token works once, even if the passkey's response is refused. Begin a new ceremony for another try.
        """
        from . import registration as passkey_registration  # noqa: PLC0415 - as above

        passkey_registration.finish_registration(caller=call.signed_in, **call.body, client=call.client, now=call.now)
        return self.done


class ListPasskeys(_PasskeyView):
    """List the caller's passkeys."""

    @operation(output=list[factor.ListedPasskey], errors=(PasskeysNotConfigured,))
    def get(self, call: Call) -> list[factor.ListedPasskey]:
        """List the passkeys, the newest first."""
        return factor.list_passkeys(user_id=call.user_id)


class SignalPasskeys(_PasskeyView):
    """List the caller's passkeys for a passkey manager."""

    @operation(output=factor.AcceptedPasskeys, errors=(PasskeysNotConfigured,))
    def get(self, call: Call) -> factor.AcceptedPasskeys:
        """Return the argument of `PublicKeyCredential.signalAllAcceptedCredentials()`.

        The user's passkey manager then no longer offers the account's removed passkeys.
        """
        return factor.list_accepted(user_id=call.user_id)


class GetRelatedOrigins(ServiceView):
    """Get the other origins that may use the passkeys (WebAuthn Level 3, 5.11.1)."""

    auth = Auth.PUBLIC
    schema = ServiceSchema(common=())

    @operation(
        output=HttpResponse,
        example={"origins": ["https://example.org"]},
        errors=(NotFound,),
        limits=EdgeAlone("The list is public and comes from settings."),
    )
    def get(self, call: Call) -> HttpResponse:
        """Return the origins of WEBAUTHN_RELATED_ORIGINS. Browsers read them before they use a passkey on another domain."""
        origins = settings().webauthn_related_origins
        if not origins:
            raise NotFound
        return HttpResponse(dump({"origins": origins}), content_type="application/json")


class RemovePasskey(_PasskeyView):
    """Remove a passkey."""

    done = Status(status="passkey removed")

    @operation(
        input=PasswordInput,
        output=Status,
        example=done,
        errors=(PasskeysNotConfigured, InvalidCredentials, ReauthenticationRequired, NotFound),
        limits=(by_account(Limit.PASSWORD), CONFIRMED_NOTICE),
    )
    def delete(self, call: Call) -> Status:
        """Remove the passkey. Logins no longer accept it."""
        factor.remove(
            account=signed_in_account(call),
            caller=call.signed_in,
            credential_id=call.path["credential_id"],
            password=call.body["password"],
            client=call.client,
            now=call.now,
        )
        return self.done
