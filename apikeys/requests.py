"""API keys in requests: `X-API-Key: ak_…` or `Authorization: Bearer ak_…`.

A request with both headers is refused.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar
from uuid import UUID

from django.http import HttpRequest

from core.errors import ServiceError
from core.http.answers import Described
from core.http.caching import exclude_from_cache
from core.http.client import client_of
from core.http.examples import LATER, USER_ID
from core.http.schema import SecurityScheme
from core.keys.jwt import Caller
from sessions_app.logins.machines import MachineCaller, Verified

from .conf import settings
from .errors import ApiKeysNotConfigured, InvalidApiKey, PermissionDenied
from .keys import KEY_ID, Grant, check
from .service_keys import check_service_key

_BEARER = re.compile(r"(?i:Bearer) +([as]k_\S*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFacts:
    """The facts about the API key in the request."""

    id: UUID
    name: str
    scopes: Sequence[str]
    expires_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class VerifiedKey(Verified):
    """The account of a valid API key, and the facts about the key."""

    example: ClassVar[Mapping[str, object]] = {
        "user_id": USER_ID,
        "api_key": {"id": KEY_ID, "name": "nightly report", "scopes": ["reports:read"], "expires_at": LATER},
    }

    api_key: Annotated[KeyFacts, Described("Present only when the request contains an API key.")]


def find_key(request: HttpRequest) -> str | None:
    """Return the key in the request's headers, or None.

    Raises InvalidApiKey when the request has X-API-Key and Authorization at once.
    """
    key: str | None = request.META.get("HTTP_X_API_KEY")
    authorization: str = request.META.get("HTTP_AUTHORIZATION", "")
    if key is None:
        match = _BEARER.fullmatch(authorization)
        return match[1] if match else None
    if authorization:
        raise InvalidApiKey("Send the API key in one header only.")
    return key


def find_grant(*, request: HttpRequest, now: datetime) -> Grant | None:
    """Return the grant of the request's key, and keep the answer out of a per-site cache.

    Returns None when the request has no key or API_KEYS_ENABLED is off. Raises InvalidApiKey.
    """
    key = find_key(request) if settings().is_on else None
    if key is None:
        return None
    exclude_from_cache(request)
    return check(key=key, client=client_of(request), now=now)


class ApiKeyCredential:
    """The API key as a machine credential for `GET /v1/verify`."""

    error: type[ServiceError] = InvalidApiKey
    errors: tuple[type[ServiceError], ...] = (PermissionDenied, ApiKeysNotConfigured)
    scheme = SecurityScheme(
        name="apiKey",
        definition={
            "type": "apiKey",
            "in": "header",
            "name": "X-API-Key",
            "description": "An API key, `ak_…`. The header `Authorization: Bearer ak_…` is also accepted.",
        },
    )
    output = VerifiedKey

    def find_caller(self, *, request: HttpRequest, now: datetime) -> MachineCaller | None:
        """Return the key's account as the caller, with the facts about the key.

        Returns None when the request has no key. Raises InvalidApiKey.
        """
        grant = find_grant(request=request, now=now)
        if grant is None:
            return None
        user_id = str(grant.user.pk)
        facts = KeyFacts(id=grant.key_id, name=grant.name, scopes=grant.scopes, expires_at=grant.expires_at)
        answer = VerifiedKey(user_id=user_id, api_key=facts)
        return MachineCaller(user_id=user_id, token_id="", is_operator=False, answer=answer)

    def get_permitted(self, *, request: HttpRequest, scope: str, now: datetime) -> Caller:
        """Return the service key of the request as the caller. Its `user_id` is the key's prefix.

        Raises InvalidApiKey without a valid key. Raises PermissionDenied when the key lacks the scope, or belongs to a
        user: users choose the scopes of their keys. Raises ApiKeysNotConfigured while API_KEYS_ENABLED is off.
        """
        if not settings().is_on:
            raise ApiKeysNotConfigured
        key = find_key(request)
        if key is None:
            raise InvalidApiKey(f"Send a service key with the scope {scope} in the header X-API-Key.")
        exclude_from_cache(request)
        if not key.startswith("sk_"):
            check(key=key, client=client_of(request), now=now)
            raise PermissionDenied
        row = check_service_key(key=key, now=now)
        if scope not in row.scopes:
            raise PermissionDenied
        return Caller(user_id=row.prefix, token_id="", is_operator=False)
