"""Flows: a login or a link from its start to the answer of the provider. Each can be completed once."""

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any, ClassVar
from urllib.parse import urlencode, urlsplit

from accounts.state.lookup import hold_signed_in_account
from core.conf import core_settings
from core.db.transactions import write
from core.errors import BadRequest
from core.http.answers import Described
from core.http.mounting import find_path
from core.keys.jwt import Caller
from core.keys.opaque import digest, find_digest, new_token

from ..errors import InvalidOauthState, OauthFailed
from ..models import OauthFlow
from .codes import Code
from .conf import settings
from .connection import refusal, slot
from .discovery import get_metadata
from .known import KNOWN, TENANT
from .providers import Provider, find_provider_of

FLOW_PREFIX = "sot_"
LIFETIME = timedelta(minutes=10)
APPLE_RETURN = "authsvc-oauth-apple-return"
"""The name of the route to which apple posts its answer."""
PAGE_RETURN = "authsvc-sign-in-provider"
"""The name of the page that signs people in by the provider in its path. Providers return the browser to it."""

_LOOPBACK = re.compile(r"(http://(?:127\.0\.0\.1|\[::1\]))(?::[0-9]{1,5})?((?:[/?].*)?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedFlow:
    """A flow that waits for the provider."""

    example: ClassVar = {
        "authorize_url": "https://accounts.google.com/o/oauth2/v2/auth?response_type=code&client_id=…&state=…",
        "state_token": "sot_p6Yh3DkWq9Vz1sNc8bRt5mXe2gJu7fLa4oTiKdQwZPE",
    }

    authorize_url: Annotated[str, Described("The page of the provider. Open it in the user's browser.")]
    state_token: Annotated[str, Described("Keep it until the provider returns the user, and put it in no URL.")]


def start_flow(*, provider: Provider, redirect_uri: str, caller: Caller | None, now: datetime) -> StartedFlow:
    """Store a flow that ends after LIFETIME, and return it. The account of `caller` gets the identity; None for a login.

    Raises InvalidAccessToken when the caller's session has ended. Raises BadRequest when the application may not use the
    redirect URI, or when the URI does not name the provider. Raises OauthFailed and OauthUnavailable when the provider's
    discovery fails, and Overloaded as `slot` does. Opens its own transaction.
    """
    if redirect_uri != page_return_url(provider=provider.name) and not _is_permitted(redirect_uri):
        raise BadRequest("redirect_uri: must be one of the addresses in OAUTH_REDIRECT_URIS.")
    if find_provider_of(redirect_uri) != provider.name:
        raise BadRequest(f"redirect_uri: its path must end with /{provider.name}, because there are several providers.")
    authorize_url = provider.authorize_url or _discover_authorize_url(provider, now=now)
    token, state, secret = new_token(prefix=FLOW_PREFIX), new_token(), secrets.token_bytes(32)
    flow = OauthFlow(
        provider=provider.name,
        digest=token.digest,
        state_digest=state.digest,
        secret=secret,
        redirect_uri=redirect_uri,
        expires_at=now + LIFETIME,
    )
    _store(flow, caller, now=now)
    parameters = {
        "response_type": "code",
        "client_id": provider.client_id,
        "redirect_uri": _redirect_uri_at(provider, redirect_uri),
        "scope": provider.facts.scopes,
        "state": state.raw,
        "code_challenge": _challenge(_derive(secret, token.raw, "verifier")),
        "code_challenge_method": "S256",
    }
    if provider.has_discovery:
        parameters["nonce"] = _derive(secret, token.raw, "nonce")
    if provider.facts.posts_answer:
        parameters["response_mode"] = "form_post"
    return StartedFlow(authorize_url=_with_parameters(authorize_url, parameters), state_token=token.raw)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpentFlow:
    """A flow that the provider has answered. `account_id` is the account that gets the identity; None for a login."""

    account_id: Any
    code: Code


def spend_flow(*, provider: Provider, state_token: str, state: str, code: str, now: datetime) -> SpentFlow:
    """Spend the flow, so that no other call completes it.

    Raises InvalidOauthState when the state token is unknown, expired or spent, or when the flow has another state or
    provider. The flow is spent then too. Opens its own transaction.
    """
    found = find_digest(state_token, prefix=FLOW_PREFIX)
    flow = OauthFlow.objects.filter(digest=found, consumed_at=None, expires_at__gt=now).first() if found else None
    if flow is None or not _spend(flow, now=now):
        raise InvalidOauthState
    if flow.provider != provider.name or not hmac.compare_digest(bytes(flow.state_digest), digest(state)):
        raise InvalidOauthState
    secret = bytes(flow.secret)
    return SpentFlow(
        account_id=flow.account_id,
        code=Code(
            code=code,
            redirect_uri=_redirect_uri_at(provider, flow.redirect_uri),
            verifier=_derive(secret, state_token, "verifier"),
            nonce=_derive(secret, state_token, "nonce"),
        ),
    )


def check_issuer(*, provider: Provider, issuer: str | None, now: datetime) -> None:
    """Check the `iss` of the authorization response (RFC 9207), before the code is sent to the provider.

    Raises OauthFailed when the answer came from another provider, or has no `iss` although the provider always states it.
    """
    if not provider.has_discovery:
        known = {provider.issuer, f"{provider.base_url}/login/oauth"}
        if issuer is not None and issuer not in known:
            raise refusal(provider, "the answer came from another issuer")
        return
    metadata = get_metadata(provider, now=now)
    if issuer is None:
        if metadata.states_issuer:
            raise refusal(provider, "the answer states no issuer")
        return
    pattern = re.escape(metadata.issuer).replace(re.escape(TENANT), "[0-9a-f-]{36}")
    if not re.fullmatch(pattern, issuer):
        raise refusal(provider, "the answer came from another issuer")


def find_return_url(*, answer: Mapping[str, str], now: datetime) -> str:
    """Return the application's address for an answer that apple posted. The answer is in the fragment.

    Browsers do not send a fragment to servers, so no log contains the code. An error of apple is in the fragment as
    `error=oauth_failed`. The service's own page works without a script, so it gets the answer in the query. Raises InvalidOauthState when no flow of apple waits for the state. The flow is not spent.
    """
    posting = [name for name, facts in KNOWN.items() if facts.posts_answer]
    flows = OauthFlow.objects.filter(provider__in=posting, consumed_at=None, expires_at__gt=now)
    flow = flows.filter(state_digest=digest(answer["state"])).first()
    if flow is None:
        raise InvalidOauthState
    shown = {name: answer[name] for name in ("state", "code", "user") if name in answer}
    fragment = shown if "code" in answer else {"state": answer["state"], "error": OauthFailed.code}
    mark = "?" if flow.redirect_uri == page_return_url(provider=flow.provider) else "#"
    return f"{flow.redirect_uri}{mark}{urlencode(fragment)}"


def page_return_url(*, provider: str) -> str | None:
    """Return the address of the service's own page for the provider. None when the site does not have the page.

    The page needs no entry in OAUTH_REDIRECT_URIS.
    """
    path = find_path(PAGE_RETURN, provider)
    return core_settings().base_url + path if path else None


def _discover_authorize_url(provider: Provider, *, now: datetime) -> str:
    with slot():
        return get_metadata(provider, now=now).authorize_url


@write
def _store(flow: OauthFlow, caller: Caller | None, *, now: datetime) -> None:
    if caller is not None:
        # The lock keeps a concurrent deletion of the account from breaking the foreign key.
        flow.account = hold_signed_in_account(caller=caller, now=now)
    flow.save(force_insert=True)


@write
def _spend(flow: OauthFlow, *, now: datetime) -> bool:
    rows = OauthFlow.objects.filter(pk=flow.pk, consumed_at=None, expires_at__gt=now)
    return bool(rows.update(consumed_at=now))


def _is_permitted(uri: str) -> bool:
    listed = settings().redirect_uris
    return uri in listed or (_without_port(uri) is not None and _without_port(uri) in map(_without_port, listed))


def _without_port(uri: str) -> tuple[str, str] | None:
    """Return the parts of a loopback URI around its port (RFC 8252, section 7.3), or None for any other URI."""
    match = _LOOPBACK.fullmatch(uri)
    return (match[1], match[2]) if match else None


def _redirect_uri_at(provider: Provider, uri: str) -> str:
    """Return the URI to which the provider returns the user, or to which it posts its answer."""
    if not provider.facts.posts_answer:
        return uri
    path = find_path(APPLE_RETURN)
    return core_settings().base_url + path if path else uri


def _with_parameters(url: str, parameters: Mapping[str, str]) -> str:
    parts = urlsplit(url)
    query = "&".join(filter(None, (parts.query, urlencode(parameters))))
    return parts._replace(query=query, fragment="").geturl()


def _derive(secret: bytes, token: str, name: str) -> str:
    """Return 43 characters of base64url, as RFC 7636 demands of a verifier."""
    return _base64url(hmac.digest(secret, f"{name} {token}".encode(), "sha256"))


def _challenge(verifier: str) -> str:
    return _base64url(hashlib.sha256(verifier.encode()).digest())


def _base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
