"""Authentication by API key for the DRF views of a host project.

    class Reports(APIView):
        authentication_classes = [ApiKeyAuthentication]
        permission_classes = [HasScopes]
        required_scopes = ["reports:read"]

In these views, `request.user` is the key's owner and `request.auth` is the `Grant`.
"""

from typing import Any

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from core.clock import now

from .errors import InvalidApiKey
from .keys import Grant
from .requests import find_grant


class ApiKeyAuthentication(BaseAuthentication):
    """Authenticates requests with `X-API-Key: ak_…` or `Authorization: Bearer ak_…`.

    Leaves a request without a key to the other authentication classes.
    """

    def authenticate(self, request: Request) -> tuple[Any, Grant] | None:
        """Return the key's owner and its grant, or None when the request has no key.

        Raises AuthenticationFailed with the code `invalid_api_key`, for which DRF responds with 401.
        """
        try:
            grant = find_grant(request=request._request, now=now())  # noqa: SLF001 - DRF has no public name for it
        except InvalidApiKey as error:
            raise AuthenticationFailed(str(error), code=error.code) from None
        return (grant.user, grant) if grant else None

    def authenticate_header(self, request: Request) -> str:
        """Return the value of the header WWW-Authenticate in a 401 response."""
        return "Bearer"


class HasScopes(BasePermission):
    """Permits keys that have each of the view's `required_scopes`. Refuses callers without a key."""

    # The type of `view` is not imported, because DRF imports its default classes while it defines APIView.
    def has_permission(self, request: Request, view: Any) -> bool:
        """Compare the scopes as plain texts, because the host project defines their meaning."""
        required = getattr(view, "required_scopes", ())
        return isinstance(request.auth, Grant) and set(required) <= set(request.auth.scopes)
