"""Where other services find the keys that access tokens are verified with."""

from django.http import HttpResponse

from . import jwt
from .keyring import JWKS_MAX_AGE
from .schema import ServiceSchema
from .view import Call, Caller, ServiceView, dump, operation


class Jwks(ServiceView):
    """The public signing keys (RFC 7517)."""

    caller = Caller.PUBLIC
    edge_limited = False
    schema = ServiceSchema(common=())

    @operation()
    def get(self, call: Call) -> HttpResponse:
        """Answer the set, the key that signs next included; it may be kept for as long as Cache-Control says."""
        return HttpResponse(
            dump(jwt.jwks(now=call.now)),
            content_type="application/json",
            headers={"Cache-Control": f"public, max-age={int(JWKS_MAX_AGE.total_seconds())}"},
        )
