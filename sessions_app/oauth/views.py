"""Routes of logins by a provider, and of the identities of an account."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeAlias
from urllib.parse import parse_qsl

from django.http import HttpRequest, HttpResponse

from accounts.errors import ReauthenticationRequired
from accounts.proofs.recent_login import needs_recent_login
from core.errors import (
    BadRequest,
    InvalidAccessToken,
    LengthRequired,
    MissingAuthHeader,
    NotFound,
    PayloadTooLarge,
    RateLimited,
    UnsupportedMediaType,
)
from core.http import bodies
from core.http.answers import Component, Described, Status
from core.http.call import Call
from core.http.limits import EdgeAlone, by_network
from core.http.view import Auth, Operation, ServiceView, check_body_headers, operation
from core.ratelimit import Limit

from ..errors import (
    InvalidOauthState,
    LastSignInMethod,
)
from ..families.issuing import TokenPair
from ..logins.identities import LinkedIdentities, list_identities, unlink_identity
from ..logins.login import PausedLogin
from .flows import StartedFlow, find_return_url
from .linking import COMPLETION_ERRORS, START_ERRORS, IdentityLinked, ProviderAnswer, complete, start
from .people import apple_name
from .providers import configured_providers, get_provider
from .serializers import AppleReturnInput, CompleteOauthInput, StartOauthInput

FIELDS_MAX = 20
_FORM_ERRORS = (BadRequest, LengthRequired, PayloadTooLarge, UnsupportedMediaType)

OauthAnswer: TypeAlias = Annotated[TokenPair | PausedLogin | IdentityLinked, Component("OauthAnswer")]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedProvider:
    """A provider by which users can sign in."""

    component: ClassVar = "OauthProvider"
    example: ClassVar = {"name": "google", "label": "Google"}

    name: Annotated[str, Described("The name in the paths below `/v1/oauth/`.")]
    label: Annotated[str, Described("The name for people, such as on a button.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedProviders:
    """The providers by which users can sign in."""

    component: ClassVar = "OauthProviders"
    example: ClassVar = {"providers": [OfferedProvider.example]}

    providers: Sequence[OfferedProvider]


class ListOauthProviders(ServiceView):
    """List the providers by which users can sign in."""

    auth = Auth.PUBLIC

    @operation(output=OfferedProviders, limits=EdgeAlone("The list is public and comes from settings."))
    def get(self, call: Call) -> OfferedProviders:
        """Return the configured providers, for buttons. The list can be empty."""
        return OfferedProviders(
            providers=[OfferedProvider(name=provider.name, label=provider.label) for provider in configured_providers()]
        )


class StartOauth(ServiceView):
    """Start to sign in with a provider."""

    auth = Auth.PUBLIC
    takes_token = True

    @operation(
        input=StartOauthInput,
        output=StartedFlow,
        errors=(*START_ERRORS, MissingAuthHeader, InvalidAccessToken, ReauthenticationRequired),
        limits=(by_network(Limit.LOGIN_IP),),
    )
    def post(self, call: Call) -> StartedFlow:
        """Return the provider's page to open, and a state token. Both work for ten minutes.

        With `link: true`, the completion links the identity to the account of the access token. The session must have
        logged in or reauthenticated within five minutes.
        """
        return start(
            provider=get_provider(name=call.path["provider"]),
            redirect_uri=call.body["redirect_uri"],
            caller=call.signed_in if call.body["link"] else None,
            now=call.now,
        )


class CompleteOauth(ServiceView):
    """Complete a login or a link with a provider."""

    auth = Auth.PUBLIC
    takes_token = True

    @operation(
        input=CompleteOauthInput,
        output=OauthAnswer,
        errors=(*COMPLETION_ERRORS, InvalidAccessToken),
        limits=(by_network(Limit.LOGIN_IP),),
    )
    def post(self, call: Call) -> TokenPair | PausedLogin | IdentityLinked:
        """Send what the provider returned. The first call spends the state token, even if it fails.

        A login answers a token pair or, when the account has a second factor, a pending token and the methods. A new
        address becomes a new account. A link needs an access token of the account that started it.
        """
        answer = ProviderAnswer(
            state_token=call.body["state_token"],
            state=call.body["state"],
            code=call.body["code"],
            issuer=call.body.get("iss"),
            name=apple_name(call.body.get("user", {})),
        )
        provider = get_provider(name=call.path["provider"])
        return complete(provider=provider, answer=answer, caller=call.caller, client=call.client, now=call.now)


class AppleReturn(ServiceView):
    """The address to which apple posts its answer, because apple returns addresses only by a form."""

    auth = Auth.PUBLIC
    schema = None

    @operation(
        output=HttpResponse,
        input=AppleReturnInput,
        status=303,
        errors=(InvalidOauthState, RateLimited, *_FORM_ERRORS),
        limits=(by_network(Limit.LOGIN_IP),),
    )
    def post(self, call: Call) -> HttpResponse:
        """Redirect the browser to the application, with the code, the state and the user in the fragment of the URL."""
        url = find_return_url(answer=call.body, now=call.now)
        return HttpResponse(status=303, headers={"Location": url})

    def read_body(self, request: HttpRequest, declared: Operation) -> Mapping[str, Any]:
        """Return the validated fields of the form. Raises BadRequest when they are not valid."""
        check_body_headers(request, media_type="application/x-www-form-urlencoded")
        raw = bodies.read(request) if request.META.get("CONTENT_LENGTH") else b""
        try:
            fields = dict(parse_qsl(raw.decode(), max_num_fields=FIELDS_MAX))
        except ValueError:
            raise BadRequest("The body must be a form.") from None
        return declared.read("input", fields, declared.input_error)


class ListIdentities(ServiceView):
    """List the caller's identities at providers."""

    @operation(output=LinkedIdentities)
    def get(self, call: Call) -> LinkedIdentities:
        """Return the identities that sign the caller in, the oldest first."""
        return list_identities(user_id=call.user_id)


class UnlinkIdentity(ServiceView):
    """Remove an identity at a provider."""

    done = Status(status="identity removed")

    @needs_recent_login
    @operation(output=Status, example=done, errors=(NotFound, LastSignInMethod))
    def delete(self, call: Call) -> Status:
        """Remove the identity, so that it no longer signs in. A password, a passkey or another identity must remain."""
        unlink_identity(caller=call.signed_in, identity_id=call.path["identity_id"], client=call.client, now=call.now)
        return self.done
