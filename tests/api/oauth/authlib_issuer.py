"""An issuer whose authorization server is Authlib's. It approves each request for its only user."""

import json
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from authlib.oauth2.rfc6749 import AuthorizationServer, ClientMixin, OAuth2Request
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant
from authlib.oauth2.rfc6749.requests import BasicOAuth2Payload
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oidc.core import UserInfo
from authlib.oidc.core.grants import OpenIDCode
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from joserfc.jwk import RSAKey

from tests.issuers import CLIENT_SECRET, REDIRECT_URI, Asked, Issuer, response, rsa_key, running

CLIENT_ID = "gatehouse"
USER = UserInfo(sub="alice at authlib", email="alice@example.com", email_verified=True, name="Alice")


class _Client(ClientMixin):  # type: ignore[misc]  # Authlib has no types
    client_id = CLIENT_ID

    def get_client_id(self) -> str:
        return self.client_id

    def get_default_redirect_uri(self) -> str:
        return REDIRECT_URI

    def get_allowed_scope(self, scope: str) -> str:
        return scope

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return redirect_uri == REDIRECT_URI

    def check_client_secret(self, client_secret: str) -> bool:
        return client_secret == CLIENT_SECRET

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return bool(method == "client_secret_post")

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type == "authorization_code"


class _Code:
    """An authorization code, with the parameters of its request."""

    def __init__(self, request: Any) -> None:
        self.code_challenge = request.payload.data.get("code_challenge")
        self.code_challenge_method = request.payload.data.get("code_challenge_method")
        self.nonce = request.payload.data.get("nonce")
        self.scope = request.scope

    def get_redirect_uri(self) -> str:
        return REDIRECT_URI

    def get_scope(self) -> str:
        return str(self.scope)

    def get_nonce(self) -> str:
        return str(self.nonce)

    def get_auth_time(self) -> int:
        return int(time.time())

    def get_acr(self) -> None:
        """Return no class of authentication."""

    def get_amr(self) -> None:
        """Return no methods of authentication."""


class _Request(OAuth2Request):  # type: ignore[misc]  # see above
    def __init__(self, asked: Asked, uri: str) -> None:
        super().__init__(asked.method, uri, headers={name.title(): value for name, value in asked.headers.items()})
        self.payload = BasicOAuth2Payload({**asked.query, **asked.form})
        self._asked = asked

    @property
    def args(self) -> Mapping[str, str]:
        return self._asked.query

    @property
    def form(self) -> Mapping[str, str]:
        return self._asked.form


class _Server(AuthorizationServer):  # type: ignore[misc]  # see above
    def __init__(self, issuer: Issuer) -> None:
        super().__init__(scopes_supported=["openid", "email", "profile"])
        self.issuer = issuer
        self.register_token_generator(
            "default",
            lambda scope, **_: {"token_type": "Bearer", "access_token": secrets.token_urlsafe(), "scope": scope},
        )

    def query_client(self, client_id: str) -> _Client | None:
        return _Client() if client_id == CLIENT_ID else None

    def save_token(self, token: Mapping[str, Any], request: OAuth2Request) -> None:
        """Store nothing: the token is not used."""

    def send_signal(self, name: str, *_: object, **__: object) -> None:
        """Notify no one."""

    def create_oauth2_request(self, request: Any) -> OAuth2Request:
        return request if isinstance(request, OAuth2Request) else _Request(request, self.issuer.url)

    def handle_response(self, status: int, body: Any, headers: Any) -> bytes:
        raw = json.dumps(body).encode() if isinstance(body, dict) else str(body or "").encode()
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
        return response(raw, f"{status} Status", lines)


def _grant(codes: dict[str, _Code]) -> type[AuthorizationCodeGrant]:
    class Grant(AuthorizationCodeGrant):  # type: ignore[misc]  # see above
        TOKEN_ENDPOINT_AUTH_METHODS = ("client_secret_basic", "client_secret_post")

        def save_authorization_code(self, code: str, request: Any) -> None:
            codes[code] = _Code(request)

        def query_authorization_code(self, code: str, client: Any) -> _Code | None:
            return codes.get(code)

        def delete_authorization_code(self, authorization_code: _Code) -> None:
            codes.clear()

        def authenticate_user(self, authorization_code: _Code) -> UserInfo:
            return USER

    return Grant


def _openid(issuer: Issuer) -> OpenIDCode:
    class OpenId(OpenIDCode):  # type: ignore[misc]  # see above
        def exists_nonce(self, nonce: str, request: Any) -> bool:
            return False

        def resolve_client_private_key(self, client: Any) -> Any:
            return RSAKey.import_key(rsa_key().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))

        def get_client_algorithm(self, client: Any) -> str:
            return "RS256"

        def get_encode_header(self, client: Any) -> dict[str, str]:
            return {"alg": "RS256", "kid": issuer.kid}

        def get_compatible_claims(self, request: Any) -> dict[str, Any]:
            at = int(time.time())
            return {"iss": issuer.url, "aud": [CLIENT_ID], "iat": at, "exp": at + 3600}

        def generate_user_info(self, user: UserInfo, scope: str) -> UserInfo:
            return user

    return OpenId()


@contextmanager
def authlib_running() -> Iterator[Issuer]:
    """Run the issuer. Only the metadata and the keys come from the small issuer of the tests."""
    with running(client_id=CLIENT_ID) as issuer:
        server = _Server(issuer)
        server.register_grant(_grant({}), [_openid(issuer), CodeChallenge(required=True)])
        issuer.metadata = {
            "authorization_endpoint": f"{issuer.url}/authorize",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            "userinfo_endpoint": None,
        }

        def authorize(asked: Asked) -> bytes:
            grant = server.get_consent_grant(asked, end_user=USER)
            answer: bytes = server.create_authorization_response(
                _Request(asked, issuer.url), grant_user=USER, grant=grant
            )
            return answer

        issuer.replies["/authorize"] = authorize
        issuer.replies["/token"] = server.create_token_response
        yield issuer
