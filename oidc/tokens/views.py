"""The endpoints of tokens: token, revoke and introspect."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse

from core.http.call import Call
from core.http.limits import CountedByAct, EdgeAlone
from core.http.view import operation
from core.ratelimit import Limit
from sessions_app.views import IDEMPOTENCY_KEY

from ..clients.authentication import read_stated
from ..endpoint import Endpoint, json_answer
from ..errors import InvalidClient, OauthError
from . import device_codes
from .presented import introspect, revoke
from .redemption import redeem_code
from .refreshing import refresh, refresh_at_once

_SECRETS = EdgeAlone("A secret and a token have 256 random bits, and a signature cannot be guessed.")


class IssueTokens(Endpoint):
    """The token endpoint."""

    @operation(output=HttpResponse, header=IDEMPOTENCY_KEY, limits=(CountedByAct(Limit.REFRESH),))
    def post(self, call: Call) -> HttpResponse:
        """Redeem a code, or refresh the tokens of a session."""
        form = call.body
        if form.get("grant_type") == "refresh_token" and (answer := self._refresh_at_once(call)) is not None:
            return json_answer(answer)
        client = self.client_of(form, now=call.now)
        match form.get("grant_type"):
            case "authorization_code":
                answer = redeem_code(client=client, form=form, http=call.client, now=call.now)
            case device_codes.DEVICE_GRANT:
                answer = device_codes.redeem_device_code(client=client, form=form, http=call.client, now=call.now)
            case "refresh_token":
                answer = refresh(client=client, form=form, idempotency_key=call.header, http=call.client, now=call.now)
            case None:
                raise OauthError("invalid_request", "The request needs grant_type.")
            case _:
                raise OauthError("unsupported_grant_type", "Use authorization_code, refresh_token or device_code.")
        return json_answer(answer)

    def _refresh_at_once(self, call: Call) -> Mapping[str, Any] | None:
        stated = read_stated(authorization=self.authorization, form=call.body)
        if stated is None:
            return None
        return refresh_at_once(
            stated=stated, form=call.body, idempotency_key=call.header, http=call.client, now=call.now
        )


class RevokeToken(Endpoint):
    """The revocation endpoint (RFC 7009)."""

    @operation(output=HttpResponse, limits=_SECRETS)
    def post(self, call: Call) -> HttpResponse:
        """End the session of the token. The answer is the same for an unknown token."""
        client = self.client_of(call.body, now=call.now)
        revoke(client=client, raw=_token_in(call), http=call.client, now=call.now)
        return json_answer({})


class IntrospectToken(Endpoint):
    """The introspection endpoint (RFC 7662)."""

    @operation(output=HttpResponse, limits=_SECRETS)
    def post(self, call: Call) -> HttpResponse:
        """Return whether the token is valid, and what it permits. A public client cannot ask."""
        client = self.client_of(call.body, now=call.now)
        if client.is_public:
            raise InvalidClient("A client without authentication cannot ask about tokens.")
        return json_answer(introspect(client=client, raw=_token_in(call), now=call.now))


def _token_in(call: Call) -> str:
    token: str | None = call.body.get("token")
    if token is None:
        raise OauthError("invalid_request", "The request needs token.")
    return token
