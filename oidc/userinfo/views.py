"""The userinfo endpoint (OpenID Connect Core, section 5.3)."""

from collections.abc import Mapping
from datetime import datetime

from django.http import HttpRequest, HttpResponse

from core.http.access_tokens import find_bearer_token
from core.http.call import Call
from core.http.client import Client
from core.http.limits import EdgeAlone
from core.http.possession import find_dpop_token, proof_of, use_proof
from core.http.view import operation
from core.keys.jwt import Caller

from ..claims import claims_about, names_of
from ..endpoint import Endpoint, json_answer
from ..errors import UNAUTHORIZED, InvalidBearer, InvalidProof, OauthError
from ..scopes import OPENID
from ..tokens.access_tokens import AccessToken, find_access_token

_LIMITS = EdgeAlone("One read, for a request with a signed access token.")


class GetUserinfo(Endpoint):
    """The claims about the person who signed in at the client."""

    proof_status = UNAUTHORIZED

    def prove_key(self, request: HttpRequest, client: Client, caller: Caller | None, *, now: datetime) -> Client:
        """Return the client as it is. The proof is checked together with the access token."""
        return client

    def check_proof(self, token: AccessToken, raw: str, *, now: datetime) -> None:
        """Check that the request proves the key of its access token. Raises InvalidProof when it does not."""
        proof = proof_of(self.request, access_token=raw, now=now)
        if proof.thumbprint != token.key:
            raise InvalidProof("The access token is bound to another key.", status=UNAUTHORIZED)
        use_proof(proof, now=now)

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
        bound = find_dpop_token(authorization)
        raw = bound or find_bearer_token(authorization) or form.get("access_token")
        if raw is None:
            raise OauthError("invalid_token", "Send an access token of OpenID.", status=401, challenge="Bearer")
        if authorization and "access_token" in form:
            raise OauthError("invalid_request", "Send the access token in one way only.")
        token = find_access_token(raw, now=call.now)
        if token is None or not token.is_for_userinfo or bool(token.key) != bool(bound):
            raise InvalidBearer
        if bound:
            self.check_proof(token, raw, now=call.now)
        if OPENID not in token.scopes:
            challenge = 'Bearer error="insufficient_scope", scope="openid"'
            raise OauthError("insufficient_scope", "The token needs the scope openid.", status=403, challenge=challenge)
        account = token.grant.family.account
        names = names_of(token.scopes, named=token.grant.user_claims)
        return json_answer({"sub": str(account.pk), **claims_about(account, names=names)})
