"""The route with the public keys, which other services use to verify tokens."""

from django.http import HttpResponse

from ..keys import jwt
from ..keys.ring import JWKS_MAX_AGE
from .call import Call
from .schema import ServiceSchema
from .view import Auth, ServiceView, operation


class GetJwks(ServiceView):
    """Get the public signing keys (RFC 7517)."""

    auth = Auth.PUBLIC
    unlimited = "Services read the keys before they can verify a token."
    schema = ServiceSchema(common=())

    @operation(
        output=HttpResponse,
        example={
            "keys": [
                {
                    "kty": "EC",
                    "crv": "P-256",
                    "x": "wXn0pZvJ5m4cT1qYb8sLd2gRk7hUeA9oFiVtNjKxQzM",
                    "y": "b3Dq6RvW1nXs8kTc5yJm2hLz9gPf4eAoUiVtKqNwBxE",
                    "use": "sig",
                    "alg": "ES256",
                    "kid": "oBd0Cu2S",
                }
            ]
        },
    )
    def get(self, call: Call) -> HttpResponse:
        """Return the key set, including the key that will sign next. Cache the set for as long as Cache-Control permits."""
        return HttpResponse(
            jwt.jwks_document(now=call.now),
            content_type="application/json",
            headers={"Cache-Control": f"public, max-age={int(JWKS_MAX_AGE.total_seconds())}"},
        )
