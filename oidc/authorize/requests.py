"""Authorization requests (RFC 6749, section 4.1.1; OpenID Connect Core, section 3.1.2.1)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeAlias
from uuid import UUID

import orjson
from django.http import QueryDict
from django.utils.translation import gettext_noop
from joserfc.errors import JoseError
from joserfc.jws import extract_compact

from core.http.view import is_deeper

from ..clients.authentication import find_client
from ..clients.redirects import is_registered
from ..errors import NoDestination, OauthError
from ..models import Client
from ..own_scopes import known_scopes
from ..resources import RESOURCE_MAX, RESOURCES_MAX, granted_resources
from ..scopes import NAMED_CLAIMS, OPENID
from ..tokens.id_tokens import subject_of_hint

PARAMETERS = (
    *("client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "prompt", "max_age"),
    *("login_hint", "ui_locales", "id_token_hint", "acr_values", "claims", "code_challenge", "code_challenge_method"),
    *("resource", "dpop_jkt"),
)
"""The parameters that the endpoint reads. It ignores all others but those of UNSUPPORTED."""

UNSUPPORTED: Mapping[str, str] = {
    "request": "request_not_supported",
    "request_uri": "request_uri_not_supported",
    "registration": "registration_not_supported",
}
MODES = ("query", "form_post")
PROMPTS = frozenset(("none", "login", "consent", "select_account"))
TEXT_MAX = 4_000
"""The maximum length of a parameter. The page of the consent has a short request in its address."""
CLAIMS_MAX_DEPTH = 8
AGE_MAX = 10**9
"""The maximum of `max_age`, in seconds. A greater one could not be subtracted from a time."""

_DIGEST = re.compile(r"[A-Za-z0-9_-]{43}")
"""A SHA-256 digest in base64url: a challenge of PKCE, or the thumbprint of a key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """The client that asks, and where its answer goes. The redirect URI is one of the client's."""

    client: Client
    redirect_uri: str
    state: str | None
    mode: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorizationRequest:
    """A valid authorization request.

    `scopes` are those that the client may have, and `resources` those for which it asks. `user_claims` and `token_claims`
    are the claims that the client asks for by name. `acrs` are the values of `acr` that the client demands, or None.
    `hinted` is the account in the client's ID token, "" for an ID token that is not valid, and None without one.
    `key_thumbprint` names the key that the redemption must prove, or is "". `pushed_id` is the id of the pushed request,
    or None for a request that came with the browser.
    """

    destination: Destination
    scopes: Sequence[str]
    resources: Sequence[str]
    nonce: str
    challenge: str
    prompts: frozenset[str]
    max_age: timedelta | None
    ui_locales: str
    hinted: str | None
    user_claims: Sequence[str]
    token_claims: Sequence[str]
    acrs: Sequence[object] | None
    key_thumbprint: str
    pushed_id: UUID | None = None

    @property
    def client(self) -> Client:
        """The client that asks."""
        return self.destination.client


class RequestRefused(Exception):
    """The client gets an error at its redirect URI. The message is for developers of the client."""

    def __init__(self, destination: Destination, error: str, message: str) -> None:
        super().__init__(message)
        self.destination = destination
        self.error = error


Refuse: TypeAlias = Callable[[str, str], RequestRefused]


def read_request(data: QueryDict, *, is_pushed: bool, now: datetime) -> AuthorizationRequest:
    """Return the request in the parameters. `is_pushed` says whether the client itself sent them, not the browser.

    Raises NoDestination when the parameters name no active client, or none of its redirect URIs. Then no site may get
    an answer. Raises RequestRefused for every other fault.
    """
    destination = _read_destination(data)

    def refuse(error: str, message: str) -> RequestRefused:
        return RequestRefused(destination, error, message)

    client = destination.client
    if client.needs_par and not is_pushed:
        raise refuse("invalid_request", "The client must push its requests. Send the request_uri of a pushed one.")
    given = _read_parameters(data, refuse)
    asked = given.get("scope", "").split()
    scopes = tuple(scope for scope in known_scopes() if scope in asked and scope in client.scopes)
    if not scopes:
        raise refuse("invalid_scope", f"The client may ask for {' '.join(client.scopes)}.")
    claims = _read_claims(given.get("claims", "{}"))
    if claims is None:
        raise refuse("invalid_request", "The claims must be a JSON object, as in OpenID Connect Core, section 5.5.")
    hint = given.get("id_token_hint")
    return AuthorizationRequest(
        destination=destination,
        scopes=scopes,
        resources=_read_resources(given, client, refuse),
        nonce=given.get("nonce", ""),
        challenge=_read_challenge(given, refuse, needs_pkce=client.needs_pkce),
        prompts=_read_prompts(given, refuse),
        max_age=_read_max_age(given, refuse),
        ui_locales=given.get("ui_locales", ""),
        hinted=None if hint is None else subject_of_hint(hint, client_id=str(client.pk), now=now) or "",
        user_claims=_named(claims, "userinfo") if OPENID in scopes else (),
        token_claims=_named(claims, "id_token") if OPENID in scopes else (),
        acrs=_demanded_acrs(claims),
        key_thumbprint=_read_thumbprint(given, refuse),
    )


def _read_destination(data: QueryDict) -> Destination:
    ids, uris, states, modes = (data.getlist(name) for name in ("client_id", "redirect_uri", "state", "response_mode"))
    if "request" in data:
        # The request is refused. The client finds the error where its request object asks for the answer.
        inside = _read_request_object(str(data["request"]))
        states, modes = states or inside.get("state", []), modes or inside.get("response_mode", [])
    client = find_client(ids[0]) if len(ids) == 1 else None
    if client is None:
        raise NoDestination(gettext_noop("The application is not registered here. Tell the people who run it."))
    if len(uris) != 1 or not is_registered(uris[0], registered=client.redirect_uris):
        raise NoDestination(
            gettext_noop(
                "The application asked to return to an address that is not registered. Tell the people who run it."
            )
        )
    state = states[0] if len(states) == 1 and len(states[0]) <= TEXT_MAX else None
    mode = modes[0] if modes and modes[0] in MODES else MODES[0]
    return Destination(client=client, redirect_uri=uris[0], state=state, mode=mode)


def _read_request_object(text: str) -> Mapping[str, list[str]]:
    """Return the texts in a request object, unverified. It needs no signature, and each text could be a parameter."""
    try:
        claims = orjson.loads(extract_compact(text.encode()).payload) if len(text) <= TEXT_MAX else {}
    except (JoseError, ValueError):
        claims = {}
    stated = claims if isinstance(claims, dict) else {}
    return {name: [value] for name, value in stated.items() if isinstance(value, str) and "\0" not in value}


def _read_parameters(data: QueryDict, refuse: Refuse) -> dict[str, str]:
    """Return the parameters that are not empty, after the checks that need no other parameter."""
    for name in (*PARAMETERS, *UNSUPPORTED):
        values = [str(value) for value in data.getlist(name)]
        if name == "resource":
            # The one parameter that can occur several times (RFC 8707, section 2).
            continue
        if len(values) > 1 or any(len(value) > TEXT_MAX or "\0" in value for value in values):
            raise refuse("invalid_request", f"The parameter {name} occurs twice, or its value is too long.")
        if name in UNSUPPORTED and values:
            raise refuse(UNSUPPORTED[name], f"The parameter {name} is not supported.")
    given = {name: str(data[name]) for name in PARAMETERS if data.get(name)}
    given["resource"] = " ".join(map(str, data.getlist("resource")))
    if "response_type" not in given:
        raise refuse("invalid_request", "The request needs response_type.")
    if given["response_type"] != "code":
        raise refuse("unsupported_response_type", "The only response_type is code.")
    if given.get("response_mode", "query") not in MODES:
        raise refuse("invalid_request", f"The response_mode must be one of {', '.join(MODES)}.")
    return given


def _read_thumbprint(given: Mapping[str, str], refuse: Refuse) -> str:
    thumbprint = given.get("dpop_jkt", "")
    if thumbprint and not _DIGEST.fullmatch(thumbprint):
        raise refuse("invalid_request", "The dpop_jkt must be the thumbprint of a key, with 43 characters.")
    return thumbprint


def _read_resources(given: Mapping[str, str], client: Client, refuse: Refuse) -> Sequence[str]:
    asked = given["resource"]
    if len(asked) > RESOURCES_MAX * (RESOURCE_MAX + 1):
        raise refuse("invalid_target", f"A request names at most {RESOURCES_MAX} resources.")
    try:
        return granted_resources(asked, registered=client.resources)
    except OauthError as error:
        raise refuse(error.error, str(error)) from None


def _read_prompts(given: Mapping[str, str], refuse: Refuse) -> frozenset[str]:
    prompts = frozenset(given.get("prompt", "").split())
    if not prompts <= PROMPTS or ("none" in prompts and len(prompts) > 1):
        raise refuse("invalid_request", "The prompt must be none, or some of login, consent and select_account.")
    return prompts


def _read_max_age(given: Mapping[str, str], refuse: Refuse) -> timedelta | None:
    text = given.get("max_age")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and int(text) <= AGE_MAX):
        raise refuse("invalid_request", "The max_age must be a number of seconds.")
    return timedelta(seconds=int(text))


def _read_challenge(given: Mapping[str, str], refuse: Refuse, *, needs_pkce: bool) -> str:
    challenge, method = given.get("code_challenge", ""), given.get("code_challenge_method")
    if not challenge and method is None:
        if needs_pkce:
            raise refuse(
                "invalid_request", "The client needs PKCE: send code_challenge and code_challenge_method=S256."
            )
        return ""
    if method != "S256" or not _DIGEST.fullmatch(challenge):
        raise refuse("invalid_request", "The code_challenge must have 43 characters, and its method must be S256.")
    return challenge


def _read_claims(text: str) -> Mapping[str, Any] | None:
    """Return the parameter `claims`, or None when it is malformed."""
    try:
        claims = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(claims, dict) or is_deeper(claims, CLAIMS_MAX_DEPTH):
        return None
    return claims if all(isinstance(claims.get(name, {}), dict) for name in ("userinfo", "id_token")) else None


def _named(claims: Mapping[str, Any], member: str) -> Sequence[str]:
    return tuple(sorted(NAMED_CLAIMS.intersection(claims.get(member, {}))))


def _demanded_acrs(claims: Mapping[str, Any]) -> Sequence[object] | None:
    """Return the values of an essential `acr`, which the answer must have (OpenID Connect Core, section 5.5.1.1)."""
    wanted = claims.get("id_token", {}).get("acr")
    if not isinstance(wanted, dict) or wanted.get("essential") is not True:
        return None
    values = wanted.get("values", [wanted["value"]] if "value" in wanted else None)
    return values if isinstance(values, list) else None
