"""The userinfo endpoint (OpenID Connect Core, section 5.3)."""

from collections.abc import Mapping

from django.http import HttpResponse

from core.http.call import Call
from core.http.limits import EdgeAlone
from core.http.view import find_bearer_token, operation

from ..claims import claims_about, names_of
from ..endpoint import Endpoint, json_answer
from ..errors import InvalidBearer, OauthError
from ..scopes import OPENID
from ..tokens.access_tokens import find_access_token

_LIMITS = EdgeAlone("One read, for a request with a signed access token.")


class GetUserinfo(Endpoint):
    """The claims about the person who signed in at the client."""

    @operation(output=HttpResponse, limits=_LIMITS)
    def get(self, call: Call) -> HttpResponse:
        """Return the claims that the access token permits."""
        return self.answer(call, {})

    @operation(output=HttpResponse, limits=_LIMITS)
    def post(self, call: Call) -> HttpResponse:
        """Return the claims that the access token permits. The token can be a parameter of the form (RFC 6750)."""
        return self.answer(call, call.body)

    def answer(self, call: Call, form: Mapping[str, str]) -> HttpResponse:
        """Return the claims. Raises OauthError without a valid access token of the scope openid."""
        authorization = self.request.META.get("HTTP_AUTHORIZATION", "")
        raw = find_bearer_token(authorization) or form.get("access_token")
        if raw is None:
            raise OauthError("invalid_token", "Send an access token of OpenID.", status=401, challenge="Bearer")
        if authorization and "access_token" in form:
            raise OauthError("invalid_request", "Send the access token in one way only.")
        token = find_access_token(raw, now=call.now)
        if token is None or not token.is_for_userinfo:
            raise InvalidBearer
        if OPENID not in token.scopes:
            challenge = 'Bearer error="insufficient_scope", scope="openid"'
            raise OauthError("insufficient_scope", "The token needs the scope openid.", status=403, challenge=challenge)
        account = token.grant.family.account
        names = names_of(token.scopes, named=token.grant.user_claims)
        return json_answer({"sub": str(account.pk), **claims_about(account, names=names)})
