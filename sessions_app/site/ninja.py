"""Authentication by access token for the django-ninja operations of a host project, which installs django-ninja itself.

    @api.get("/payouts", auth=AccessTokenBearer())
    def payouts(request):
        return {"user": str(request.user.pk)}

In the operation, `request.user` is the owner of the access token.
"""

from django.http import HttpRequest
from ninja.security import HttpBearer

from core.clock import now
from core.errors import InvalidAccessToken, InvalidDpopProof, MissingAuthHeader, UseDpopNonce
from core.http.access_tokens import caller_of
from core.http.caching import exclude_from_cache
from core.keys.jwt import Caller

from .callers import get_user


class AccessTokenBearer(HttpBearer):
    """Authenticates synchronous operations with `Authorization: Bearer <access token>`.

    A key-bound token needs `Authorization: DPoP <access token>`, and a proof of its key in the header `DPoP`. The 401 of
    django-ninja has no nonce, so a client takes the nonce of an answer of the service's routes.

    In the operation, `request.user` is the token's user and `request.auth` is its `Caller`. `check_session` is as in
    `AccessTokenAuthentication`.
    """

    def __init__(self, *, check_session: bool = False) -> None:
        super().__init__()
        self.check_session = check_session

    def __call__(self, request: HttpRequest) -> Caller | None:
        """Return the caller. Return None for a token that is not valid, for which django-ninja responds with 401."""
        return self.authenticate(request, "")

    def authenticate(self, request: HttpRequest, token: str) -> Caller | None:
        """Return the caller, or None. The token is that of the header, because it can have one of two schemes."""
        exclude_from_cache(request)
        try:
            caller = caller_of(request, now=now())
            request.user = get_user(caller=caller, check_session=self.check_session, now=now())
        except (MissingAuthHeader, InvalidAccessToken, InvalidDpopProof, UseDpopNonce):
            return None
        return caller
