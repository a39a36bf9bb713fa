"""API keys in requests: `X-API-Key: ak_…` or `Authorization: Bearer ak_…`.

A request with both headers is refused.
"""

import re
from datetime import datetime

from django.http import HttpRequest

from accounts.core.http.client import client_of
from sessions_app.errors import InvalidApiKey
from sessions_app.machines import MachineIdentity

from .conf import settings
from .keys import Grant, check

_BEARER = re.compile(r"(?i:Bearer) +(ak_\S*)")


def find_presented(request: HttpRequest) -> str | None:
    """Return the key in the request's headers, or None.

    Raises InvalidApiKey when the request has X-API-Key and Authorization at once.
    """
    key: str | None = request.META.get("HTTP_X_API_KEY")
    authorization: str = request.META.get("HTTP_AUTHORIZATION", "")
    if key is None:
        match = _BEARER.fullmatch(authorization)
        return match[1] if match else None
    if authorization:
        raise InvalidApiKey("Present the key in one header alone.")
    return key


def identify(*, request: HttpRequest, now: datetime) -> Grant | None:
    """Return the grant of the request's key.

    Returns None when the request has no key or API_KEYS_ENABLED is off. Raises InvalidApiKey.
    """
    presented = find_presented(request) if settings().is_on else None
    return check(presented=presented, client=client_of(request), now=now) if presented is not None else None


class KeyHolder:
    """The API key as a machine credential for `GET /v1/verify`."""

    def identify(self, *, request: HttpRequest, now: datetime) -> MachineIdentity | None:
        """Return the identity of the key's account, with the facts about the key.

        Returns None when the request has no key. Raises InvalidApiKey.
        """
        grant = identify(request=request, now=now)
        if grant is None:
            return None
        key = {"id": str(grant.key_id), "name": grant.name, "scopes": grant.scopes, "expires_at": grant.expires_at}
        return MachineIdentity(user_id=str(grant.user.pk), token_id="", is_operator=False, facts={"api_key": key})
