"""The metadata of the provider (OpenID Connect Discovery; RFC 8414). Both documents are the same."""

from functools import lru_cache

import orjson
from django.http import HttpResponse

from core.conf import core_settings
from core.errors import PROOF_ALGORITHMS, NotConfigured
from core.http.call import Call
from core.http.limits import EdgeAlone
from core.http.mounting import find_path
from core.http.view import Auth, ServiceView, operation
from core.keys.ring import current_ring
from core.keys.signing_keys import RS256

from ..addresses import address_of, issuer
from ..claims import ACRS
from ..clients.keys import ALGORITHMS
from ..own_scopes import known_scopes
from ..scopes import NAMED_CLAIMS
from ..tokens.device_codes import DEVICE_GRANT

MAX_AGE_SECONDS = 3600
TOKEN_CLAIMS = ("sub", "iss", "aud", "exp", "iat", "auth_time", "amr", "acr", "sid")
AUTHENTICATIONS = ("client_secret_basic", "client_secret_post", "private_key_jwt")


class GetMetadata(ServiceView):
    """The metadata by which clients find the endpoints."""

    auth = Auth.PUBLIC
    schema = None

    def check_feature(self) -> None:
        """Raise NotConfigured in a site that has not mounted the endpoints."""
        if find_path("authsvc-oidc-authorize") is None:
            raise NotConfigured

    @operation(output=HttpResponse, limits=EdgeAlone("The answer is a document that the process keeps in memory."))
    def get(self, call: Call) -> HttpResponse:
        """Return the document. Its bytes are made once for each setting."""
        algorithm = current_ring(now=call.now).active_key(now=call.now).algorithm
        return HttpResponse(
            _document(issuer(), address_of("authorize"), algorithm, known_scopes()),
            content_type="application/json",
            headers={"Cache-Control": f"public, max-age={MAX_AGE_SECONDS}"},
        )


@lru_cache(maxsize=8)
def _document(stated_issuer: str, authorize: str, algorithm: str, scopes: tuple[str, ...]) -> bytes:
    return orjson.dumps(
        {
            "issuer": stated_issuer,
            "authorization_endpoint": authorize,
            "pushed_authorization_request_endpoint": address_of("par"),
            "device_authorization_endpoint": address_of("device-authorization"),
            "token_endpoint": address_of("token"),
            "userinfo_endpoint": address_of("userinfo"),
            "revocation_endpoint": address_of("revoke"),
            "introspection_endpoint": address_of("introspect"),
            "end_session_endpoint": address_of("logout"),
            "backchannel_logout_supported": True,
            "backchannel_logout_session_supported": True,
            "jwks_uri": core_settings().base_url + "/.well-known/jwks.json",
            "response_types_supported": ["code"],
            "response_modes_supported": ["query", "form_post"],
            "grant_types_supported": ["authorization_code", "refresh_token", DEVICE_GRANT],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": [*AUTHENTICATIONS, "none"],
            "token_endpoint_auth_signing_alg_values_supported": ALGORITHMS,
            "revocation_endpoint_auth_methods_supported": [*AUTHENTICATIONS, "none"],
            "revocation_endpoint_auth_signing_alg_values_supported": ALGORITHMS,
            "introspection_endpoint_auth_methods_supported": AUTHENTICATIONS,
            "introspection_endpoint_auth_signing_alg_values_supported": ALGORITHMS,
            "dpop_signing_alg_values_supported": PROOF_ALGORITHMS,
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": list(dict.fromkeys([algorithm, RS256])),
            "scopes_supported": scopes,
            "claims_supported": [*TOKEN_CLAIMS, *sorted(NAMED_CLAIMS)],
            "claim_types_supported": ["normal"],
            "claims_parameter_supported": True,
            "acr_values_supported": ACRS,
            "prompt_values_supported": ["none", "login", "consent", "select_account"],
            "request_parameter_supported": False,
            "request_uri_parameter_supported": False,
            "require_pushed_authorization_requests": False,
            "authorization_response_iss_parameter_supported": True,
        }
    )
