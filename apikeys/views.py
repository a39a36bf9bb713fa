"""Routes of the apikeys app."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from accounts.proofs.limits import by_account
from accounts.proofs.recent_login import needs_recent_login
from core.http.answers import Status
from core.http.call import Call
from core.http.view import ServiceView, operation
from core.ratelimit import Limit

from .conf import settings
from .errors import (
    ApiKeyNotFound,
    ApiKeysNotConfigured,
    InvalidApiKeyScope,
    InvalidApiKeyTtl,
)
from .keys import CreatedKey, ListedKey, create, list_keys, revoke
from .models import DAYS_MAX
from .serializers import SCOPES_MAX, NewKeyInput, is_scope


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
        id="createApiKey",
        input=NewKeyInput,
        output=CreatedKey,
        status=201,
        errors=(InvalidApiKeyScope, InvalidApiKeyTtl, ApiKeysNotConfigured),
        limits=(by_account(Limit.API_KEYS),),
    )
    def post(self, call: Call) -> CreatedKey:
        """Create an API key.

        Only this answer contains the complete key. The error code is `bad_request` when the account has the maximum number of
        live API keys.
        """
        return create(
            caller=call.signed_in,
            name=call.body["name"],
            scopes=_scopes_of(call.body.get("scopes", [])),
            lifetime=_lifetime_of(call.body.get("expires_in_days", 0)),
            client=call.client,
            now=call.now,
        )

    @operation(id="listApiKeys", output=list[ListedKey], errors=(ApiKeysNotConfigured,))
    def get(self, call: Call) -> list[ListedKey]:
        """List the caller's API keys.

        The newest key comes first. The list includes expired keys, but no revoked keys.
        """
        return list_keys(user_id=call.user_id, now=call.now)


class RevokeApiKey(_KeysView):
    """Revoke an API key."""

    done = Status(status="api key revoked")

    @needs_recent_login
    @operation(
        output=Status,
        example=done,
        errors=(ApiKeyNotFound, ApiKeysNotConfigured),
        limits=(by_account(Limit.API_KEYS),),
    )
    def delete(self, call: Call) -> Status:
        """Revoke the API key permanently. From then on, the service refuses each request with this key."""
        revoke(caller=call.signed_in, key_id=call.path["key_id"], client=call.client, now=call.now)
        return self.done


def _scopes_of(value: Any) -> Sequence[str]:
    if not isinstance(value, list) or len(value) > SCOPES_MAX or not all(is_scope(scope) for scope in value):
        raise InvalidApiKeyScope
    return value


def _lifetime_of(value: Any) -> timedelta | None:
    if type(value) is not int or not 0 <= value <= DAYS_MAX:
        raise InvalidApiKeyTtl
    return timedelta(days=value) if value else None
