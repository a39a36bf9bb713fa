"""Authentication by API key for the django-ninja operations of a host project, which installs django-ninja itself.

    @api.get("/reports", auth=ApiKeyBearer(scopes=["reports:read"]))
    def reports(request):
        return {"owner": str(request.user.pk)}

In the operation, `request.user` is the owner of the API key.
"""

from collections.abc import Sequence

from django.http import HttpRequest
from ninja.errors import HttpError
from ninja.security import HttpBearer

from core.clock import now

from .errors import InvalidApiKey
from .keys import Grant
from .requests import find_grant


class ApiKeyBearer(HttpBearer):
    """Authenticates synchronous operations with `Authorization: Bearer ak_…`, by a key that has each of the scopes.

    In the operation, `request.user` is the key's owner and `request.auth` is the `Grant`.
    """

    def __init__(self, *, scopes: Sequence[str] = ()) -> None:
        super().__init__()
        self.scopes = frozenset(scopes)

    def authenticate(self, request: HttpRequest, token: str) -> Grant | None:
        """Return the grant. Return None for a key that is not valid, for which django-ninja responds with 401.

        Raises HttpError with the status 403 for a key that lacks a scope.
        """
        try:
            grant = find_grant(request=request, now=now())
        except InvalidApiKey:
            return None
        if grant is None:
            return None
        if not self.scopes <= set(grant.scopes):
            raise HttpError(403, "The API key lacks a scope.")
        request.user = grant.user
        return grant
