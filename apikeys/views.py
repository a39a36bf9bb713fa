"""Routes of the apikeys app."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest

from accounts.proofs.credentials import hit_own_limit
from accounts.proofs.recent_login import needs_recent_login
from core.http.answers import Status
from core.http.schema import ServiceSchema
from core.http.view import Call, Caller, ServiceView, operation
from core.keys.jwt import Identity
from sessions_app.families.ended_sessions import Revocations, list_revocations

from .conf import settings
from .errors import (
    ApiKeyNotFound,
    ApiKeysNotConfigured,
    InvalidApiKey,
    InvalidApiKeyScope,
    InvalidApiKeyTtl,
    PermissionDenied,
)
from .keys import ListedKey, NewKey, create, list_keys, revoke
from .requests import ApiKeyCredential, identify
from .serializers import DAYS_MAX, SCOPE_MAX, SCOPES_MAX, NewKeyInput, RevocationsQuery

REVOCATIONS_SCOPE = "revocations:read"
"""The only scope that a route of the service demands. Host projects define all others."""


class _KeysView(ServiceView):
    """A route that exists only while API_KEYS_ENABLED is on."""

    def check_feature(self) -> None:
        """Raise ApiKeysNotConfigured while API_KEYS_ENABLED is off."""
        if not settings().is_on:
            raise ApiKeysNotConfigured


class ApiKeys(_KeysView):
    """The caller's API keys."""

    @needs_recent_login
    @operation(
        input=NewKeyInput,
        output=NewKey,
        status=201,
        errors=(InvalidApiKeyScope, InvalidApiKeyTtl, ApiKeysNotConfigured),
    )
    def post(self, call: Call) -> NewKey:
        """Create an API key.

        Only this answer contains the complete key. The error code is `bad_request` when the account has the maximum number of
        live API keys.
        """
        hit_own_limit(name="api_keys", identity=call.signed_in, now=call.now)
        return create(
            identity=call.signed_in,
            name=call.body["name"],
            scopes=_scopes_of(call.body.get("scopes", [])),
            lifetime=_lifetime_of(call.body.get("expires_in_days", 0)),
            client=call.client,
            now=call.now,
        )

    @operation(output=list[ListedKey], errors=(ApiKeysNotConfigured,))
    def get(self, call: Call) -> list[ListedKey]:
        """List the caller's API keys.

        The newest key comes first. The list includes expired keys, but no revoked keys.
        """
        return list_keys(user_id=call.user_id, now=call.now)


class RevokeApiKey(_KeysView):
    """Revoke an API key."""

    done = Status(status="api key revoked")

    @needs_recent_login
    @operation(output=Status, example=done, errors=(ApiKeyNotFound, ApiKeysNotConfigured))
    def delete(self, call: Call) -> Status:
        """Revoke the API key permanently. From then on, the service refuses each request with this key."""
        hit_own_limit(name="api_keys", identity=call.signed_in, now=call.now)
        revoke(identity=call.signed_in, key_id=call.path["key_id"], client=call.client, now=call.now)
        return self.done


class ListRevocations(_KeysView):
    """List the ended sessions whose access tokens are still valid."""

    caller = Caller.MACHINE
    schema = ServiceSchema(credentials=[ApiKeyCredential()])

    def authenticate(self, request: HttpRequest, *, now: datetime) -> Identity:
        """Return the identity of the key's owner.

        Raises InvalidApiKey without a valid key, and PermissionDenied when the key lacks REVOCATIONS_SCOPE. Raises
        ApiKeysNotConfigured while API_KEYS_ENABLED is off, because no key is valid then.
        """
        self.check_feature()
        grant = identify(request=request, now=now)
        if grant is None:
            raise InvalidApiKey(f"Send an API key with the scope {REVOCATIONS_SCOPE} in the header X-API-Key.")
        if REVOCATIONS_SCOPE not in grant.scopes:
            raise PermissionDenied
        return Identity(user_id=str(grant.user.pk), token_id="", is_operator=False)

    @operation(query=RevocationsQuery, output=Revocations, errors=(PermissionDenied, ApiKeysNotConfigured))
    def get(self, call: Call) -> Revocations:
        """Return the revocations of all accounts, at most 500. A service that polls this route refuses revoked tokens.

        Send an API key with the scope `revocations:read` in the header `X-API-Key` or as the bearer token. Refuse an
        access token whose `jti` is one of the `session_ids`. Continue each request at the `next_since` of the answer
        before. The answers overlap by a minute, so that none misses a revocation.
        """
        return list_revocations(since=call.query["since"], now=call.now)


def _scopes_of(value: Any) -> Sequence[str]:
    if not isinstance(value, list) or len(value) > SCOPES_MAX or not all(_is_scope(scope) for scope in value):
        raise InvalidApiKeyScope
    return value


def _is_scope(value: Any) -> bool:
    if not isinstance(value, str) or not 1 <= len(value) <= SCOPE_MAX:
        return False
    return value.isprintable() and not any(character.isspace() for character in value)


def _lifetime_of(value: Any) -> timedelta | None:
    if type(value) is not int or not 0 <= value <= DAYS_MAX:
        raise InvalidApiKeyTtl
    return timedelta(days=value) if value else None
