"""Authentication by access token for the DRF views of a host project.

    class Payouts(APIView):
        authentication_classes = [AccessTokenAuthentication]
        permission_classes = [RecentLogin]

In these views, `request.user` is the host project's user and `request.auth` is the `Caller` of the token.
"""

import re
from typing import Any

from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.errors import ReauthenticationRequired
from accounts.proofs.recent_login import check_recent_login
from core.clock import now
from core.errors import InvalidAccessToken, InvalidDpopProof, UseDpopNonce
from core.http.access_tokens import caller_of
from core.http.caching import exclude_from_cache
from core.http.possession import has_proof
from core.keys import jwt
from core.keys.dpop import current_nonce

from .callers import authentication_failed, get_user

# An API key or another token without two dots is not an access token of the service.
_TOKEN = re.compile(r"(?i:Bearer|DPoP) +([\w-]+\.[\w-]+\.[\w-]+)", re.ASCII)
_CHALLENGE = "authsvc.challenge"


class AccessTokenAuthentication(BaseAuthentication):
    """Authenticates requests with `Authorization: Bearer <access token>`.

    A key-bound token needs `Authorization: DPoP <access token>`, and a proof of its key in the header `DPoP` (RFC 9449).

    Leaves a request without a JWT to the other authentication classes. Leaves a JWT of another type to the later
    classes. So a site can also accept the tokens of another issuer.

    An access token stays valid until it expires, even after its session has ended. A subclass with
    `check_session = True` also refuses a token whose session has ended. That costs one more query a request.
    """

    check_session = False

    def authenticate(self, request: Request) -> tuple[Any, jwt.Caller] | None:
        """Return the token's user and the caller. Return None when another class has to decide.

        Raises AuthenticationFailed with the code `invalid_access_token` when the token is not valid. Raises it also
        when the account was deleted or is no longer admitted. With `check_session`, an ended session raises it too. The
        codes `invalid_dpop_proof` and `use_dpop_nonce` are those of a proof that is not valid. DRF then responds with
        401. The response to a request with a proof has the nonce for the next one.
        """
        match = _TOKEN.fullmatch(request.META.get("HTTP_AUTHORIZATION", ""))
        if match is None:
            return None
        django_request = request._request  # noqa: SLF001 - DRF has no public name for it
        exclude_from_cache(django_request)
        if has_proof(django_request) and (view := (request.parser_context or {}).get("view")) is not None:
            # DRF adds these headers to the response of the view, also to that of an error.
            view.headers["DPoP-Nonce"] = current_nonce(now=now())
        try:
            caller = caller_of(django_request, now=now())
            return get_user(caller=caller, check_session=self.check_session, now=now()), caller
        except (InvalidAccessToken, InvalidDpopProof, UseDpopNonce) as error:
            # Without a later class, the caller must learn that the token is not valid.
            if jwt.is_of_other_type(match[1]) and (request.authenticators or [self])[-1] is not self:
                return None
            if not isinstance(error, InvalidAccessToken):
                # DRF asks another instance of the class for the challenge.
                request.META[_CHALLENGE] = error.headers()["WWW-Authenticate"]
            raise authentication_failed(error) from None

    def authenticate_header(self, request: Request) -> str:
        """Return the value of the header WWW-Authenticate in a 401 response."""
        return str(request.META.get(_CHALLENGE, "Bearer"))


class RecentLogin(BasePermission):
    """Permits access tokens whose session was authenticated within RECENT_LOGIN_SECONDS. Refuses other callers.

    While the setting is off, every access token is permitted. The code of a refusal is `reauthentication_required`.
    """

    message = ReauthenticationRequired.message
    code = ReauthenticationRequired.code

    # The type of `view` is not imported, because DRF imports its default classes while it defines APIView.
    def has_permission(self, request: Request, view: Any) -> bool:
        """Return whether the login is recent. Raises AuthenticationFailed when the session has ended."""
        if not isinstance(request.auth, jwt.Caller):
            return False
        try:
            check_recent_login(caller=request.auth, now=now())
        except ReauthenticationRequired:
            return False
        except InvalidAccessToken as error:
            raise authentication_failed(error) from None
        return True
