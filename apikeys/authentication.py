"""API keys on a Django site's own DRF views.

    class Reports(APIView):
        authentication_classes = [ApiKeyAuthentication]
        permission_classes = [HasScopes]
        required_scopes = ["reports:read"]

`request.user` is then the key's owner and `request.auth` the `Grant`.
"""

from typing import Any

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.core.clock import now
from sessions_app.errors import InvalidApiKey

from .keys import Grant
from .requests import identify


class ApiKeyAuthentication(BaseAuthentication):
    """Takes `X-API-Key: ak_…` or `Authorization: Bearer ak_…`; a request without a key is left to other classes."""

    def authenticate(self, request: Request) -> tuple[Any, Grant] | None:
        """Return the key's owner and its grant. Raises AuthenticationFailed, which DRF answers with 401."""
        try:
            grant = identify(request=request._request, now=now())  # noqa: SLF001 - DRF documents no other way down
        except InvalidApiKey as error:
            raise AuthenticationFailed(str(error)) from None
        return (grant.user, grant) if grant else None

    def authenticate_header(self, request: Request) -> str:
        """Return what a 401 asks for."""
        return "Bearer"


class HasScopes(BasePermission):
    """Lets a key in that has every one of the view's `required_scopes`; callers without a key are not let in."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Compare scopes as texts: what they mean is the site's business."""
        required = getattr(view, "required_scopes", ())
        return isinstance(request.auth, Grant) and set(required) <= set(request.auth.scopes)
