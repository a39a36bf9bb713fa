"""Authentication by access token for the django-ninja operations of a host project, which installs django-ninja itself.

    @api.get("/payouts", auth=AccessTokenBearer())
    def payouts(request):
        return {"user": str(request.user.pk)}

In the operation, `request.user` is the owner of the access token.
"""

from django.http import HttpRequest
from ninja.security import HttpBearer

from core.clock import now
from core.errors import InvalidAccessToken
from core.http.caching import exclude_from_cache
from core.keys.jwt import Caller

from .callers import authenticate


class AccessTokenBearer(HttpBearer):
    """Authenticates synchronous operations with `Authorization: Bearer <access token>`.

    In the operation, `request.user` is the token's user and `request.auth` is its `Caller`. `check_session` is as in
    `AccessTokenAuthentication`.
    """

    def __init__(self, *, check_session: bool = False) -> None:
        super().__init__()
        self.check_session = check_session

    def authenticate(self, request: HttpRequest, token: str) -> Caller | None:
        """Return the caller. Return None for a token that is not valid, for which django-ninja responds with 401."""
        exclude_from_cache(request)
        try:
            request.user, caller = authenticate(token=token, check_session=self.check_session, now=now())
        except InvalidAccessToken:
            return None
        return caller
