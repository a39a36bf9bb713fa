"""A small OpenID Connect issuer on loopback, written without the service's code. Tests make it hostile.

`approve` plays the user's browser. It reads the authorization URL as the issuer's page would. It returns the parameters
with which the issuer sends the browser back.
"""

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote_plus, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from accounts.models import Account
from core.clock import now
from sessions_app.oauth.providers import configured_providers

from .client import Answer, Api
from .people import Person, SignedIn

CLIENT_ID = "gatehouse at the issuer"
CLIENT_SECRET = "client: secret+5e1c"
REDIRECT_URI = "https://app.example/signed-in"
"""The address to which the only configured provider returns users."""

Reply = Callable[["Asked"], "bytes | Mapping[str, Any] | list[Any] | Iterator[bytes]"]
"""Returns the bytes of a whole response, the parts of one, or a JSON object."""


@cache
def rsa_key() -> rsa.RSAPrivateKey:
    """Return a key that all tests of the process share, because its generation is slow."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@cache
def other_rsa_key() -> rsa.RSAPrivateKey:
    """Return another key, which no issuer publishes."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@dataclass(frozen=True)
class Asked:
    """A request that the issuer received. The names of `headers` are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    form: Mapping[str, str]
    query: Mapping[str, str]


@dataclass
class _Grant:
    query: Mapping[str, str]
    user: Mapping[str, Any]


@dataclass
class Issuer:
    """A running issuer.

    `replies` replaces the answer at a path: raw bytes of a whole response, or a JSON object. `metadata` and `claims`
    change members of the metadata and of ID tokens; None removes a member. `sign` replaces the signature of ID tokens.
    `visitor` is the user whose browser opens the authorization page.
    """

    port: int
    asked: list[Asked] = field(default_factory=list)
    replies: dict[str, Reply] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    claims: dict[str, Any] = field(default_factory=dict)
    userinfo: dict[str, Any] | None = None
    visitor: Mapping[str, Any] = field(default_factory=dict)
    sign: Callable[[Mapping[str, Any]], str] | None = None
    kid: str = "key-1"
    is_over: Event = field(default_factory=Event)
    client_id: str = CLIENT_ID
    path: str = ""
    _grants: dict[str, _Grant] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """The issuer identifier."""
        return f"http://127.0.0.1:{self.port}{self.path}"

    def variables(self, name: str = "acme") -> dict[str, str]:
        """Return the settings of the service for this issuer."""
        variable = f"OAUTH_{name.upper()}"
        return {
            f"{variable}_ISSUER": self.url,
            f"{variable}_CLIENT_ID": self.client_id,
            f"{variable}_CLIENT_SECRET": CLIENT_SECRET,
            "OAUTH_REDIRECT_URIS": f"{REDIRECT_URI},{redirect_uri_of('acme')},{redirect_uri_of(name)}",
        }

    def approve(self, authorize_url: str, user: Mapping[str, Any]) -> dict[str, str]:
        """Let the user approve the request. Return the parameters of the redirect to the application."""
        query = dict(parse_qsl(urlsplit(authorize_url).query))
        assert query["response_type"] == "code"
        assert query["client_id"] == self.client_id
        assert query["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(12)
        self._grants[code] = _Grant(query=query, user=user)
        return {"code": code, "state": query["state"]}

    def authorize(self, asked: Asked) -> bytes:
        """Approve the request of a browser for the user in `visitor`. Refuse a request without parameters."""
        if "client_id" not in asked.query:
            return response(b"", "400 Bad Request")
        url = f"{self.url}{asked.path}?{urlencode(asked.query)}"
        returned = self.approve(url, self.visitor)
        return response(b"", "302 Found", f"Location: {asked.query['redirect_uri']}?{urlencode(returned)}\r\n")

    def count(self, path: str) -> int:
        """Return the number of requests to the path."""
        return sum(asked.path == path for asked in self.asked)

    def answer(self, asked: Asked) -> Iterable[bytes]:
        """Return the parts of the answer to the request."""
        path = asked.path.removeprefix(self.path)
        page = _PAGES.get((asked.method, path))
        if path in self.replies:
            found = self.replies[path](asked)
        elif page is not None:
            found = page(self, asked)
        else:
            found = response(b"", "404 Not Found")
        if isinstance(found, Mapping | list):
            found = response(json.dumps(found).encode())
        return [found] if isinstance(found, bytes) else found

    def discovery(self, asked: Asked) -> Mapping[str, Any]:
        """Return the metadata."""
        return _changed(
            {
                "issuer": self.url,
                "authorization_endpoint": f"{self.url}/authorize?tenant=a",
                "token_endpoint": f"{self.url}/token",
                "userinfo_endpoint": f"{self.url}/userinfo",
                "jwks_uri": f"{self.url}/jwks",
                "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
            },
            self.metadata,
        )

    def jwks(self, asked: Asked) -> Mapping[str, Any]:
        """Return the keys."""
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(rsa_key().public_key()))
        return {"keys": [{**public, "kid": self.kid, "use": "sig", "alg": "RS256"}]}

    def token(self, asked: Asked) -> bytes | Mapping[str, Any]:
        """Redeem a code once, as RFC 6749 and RFC 7636 demand."""
        if not self.is_client(asked):
            return response(b'{"error": "invalid_client"}', "401 Unauthorized")
        grant = self._grants.pop(asked.form.get("code", ""), None)
        if grant is None or not _is_of_flow(asked.form, grant.query):
            return response(
                b'{"error": "invalid_grant", "error_description": "text of the provider"}', "400 Bad Request"
            )
        at = int(now().timestamp())
        claims = _changed(
            {
                "iss": self.url,
                "aud": self.client_id,
                "iat": at,
                "exp": at + 300,
                "nonce": grant.query.get("nonce"),
                **grant.user,
            },
            self.claims,
        )
        sign = self.sign or self.signed
        return {"access_token": f"at {grant.user['sub']}", "token_type": "Bearer", "id_token": sign(claims)}

    def is_client(self, asked: Asked) -> bool:
        """Return whether the request contains the client's credentials."""
        scheme, _, pair = asked.headers.get("authorization", "").partition(" ")
        if scheme == "Basic":
            given = [unquote_plus(part) for part in base64.b64decode(pair).decode().split(":")]
            return given == [self.client_id, CLIENT_SECRET]
        return (asked.form.get("client_id"), asked.form.get("client_secret")) == (self.client_id, CLIENT_SECRET)

    def signed(self, claims: Mapping[str, Any], **header: Any) -> str:
        """Return a correctly signed ID token."""
        return jwt.encode(dict(claims), rsa_key(), algorithm="RS256", headers={"kid": self.kid, **header})

    def own_userinfo(self, asked: Asked) -> bytes | Mapping[str, Any]:
        """Return the userinfo of the access token."""
        token = asked.headers.get("authorization", "").removeprefix("Bearer at ")
        return {"sub": token, **(self.userinfo or {})}


_PAGES: Mapping[tuple[str, str], Callable[[Issuer, Asked], Any]] = {
    ("GET", "/.well-known/openid-configuration"): Issuer.discovery,
    ("GET", "/authorize"): Issuer.authorize,
    ("GET", "/jwks"): Issuer.jwks,
    ("POST", "/token"): Issuer.token,
    ("GET", "/userinfo"): Issuer.own_userinfo,
}


def _is_of_flow(form: Mapping[str, str], query: Mapping[str, str]) -> bool:
    challenge = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
    return (
        form.get("grant_type") == "authorization_code"
        and form.get("redirect_uri") == query["redirect_uri"]
        and base64.urlsafe_b64encode(challenge).rstrip(b"=").decode() == query["code_challenge"]
    )


def _changed(members: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in {**members, **changes}.items() if value is not None}


def response(body: bytes, status: str = "200 OK", headers: str = "") -> bytes:
    """Return the bytes of an HTTP response."""
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{headers}\r\n".encode() + body


def ec_key() -> ec.EllipticCurvePrivateKey:
    """Return a new key on P-256."""
    return ec.generate_private_key(ec.SECP256R1())


@contextmanager
def running(*, path: str = "", client_id: str = CLIENT_ID) -> Iterator[Issuer]:
    """Run an issuer whose identifier ends in the path."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._reply()

        def do_POST(self) -> None:
            self._reply()

        def _reply(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            headers = {name.lower(): value for name, value in self.headers.items()}
            parts = urlsplit(self.path)
            query = dict(parse_qsl(parts.query))
            asked = Asked(method=self.command, path=parts.path, headers=headers, form=form, query=query)
            issuer.asked.append(asked)
            with suppress(OSError):
                for part in issuer.answer(asked):
                    self.wfile.write(part)
            self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        issuer = Issuer(port=server.server_address[1], path=path, client_id=client_id)
        # Two requests could otherwise make a key each at the same time, and one key would not fit the other's signature.
        rsa_key()
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield issuer
        finally:
            issuer.is_over.set()
            server.shutdown()
            thread.join()


def redirect_uri_of(provider: str) -> str:
    """Return the address to which the provider returns users, where there are several providers."""
    return f"{REDIRECT_URI}/{provider}"


def user(sub: str = "alice-at-acme", email: str = "alice@example.com", **claims: Any) -> dict[str, Any]:
    """Return the claims of a person with a verified address."""
    return {"sub": sub, "email": email, "email_verified": True, **claims}


def start(api: Api, provider: str = "acme", *, token: str | None = None, **body: Any) -> dict[str, str]:
    """Start a flow and return its authorization URL and state token."""
    uri = REDIRECT_URI if len(configured_providers()) == 1 else redirect_uri_of(provider)
    data: dict[str, str] = api.post(f"/v1/oauth/{provider}/start", {"redirect_uri": uri, **body}, token=token).data
    return data


def complete(
    api: Api,
    started: Mapping[str, str],
    returned: Mapping[str, str],
    provider: str = "acme",
    *,
    token: str | None = None,
) -> Answer:
    """Complete the flow with the parameters of the redirect."""
    body = {"state_token": started["state_token"], **returned}
    return api.post(f"/v1/oauth/{provider}/complete", body, token=token)


def sign_in(api: Api, issuer: Issuer, who: Mapping[str, Any], provider: str = "acme") -> Answer:
    """Sign the person in by the provider."""
    started = start(api, provider)
    return complete(api, started, issuer.approve(started["authorize_url"], who), provider)


def link(api: Api, issuer: Issuer, who: Mapping[str, Any], *, token: str, provider: str = "acme") -> Answer:
    """Link the person's identity to the account of the access token."""
    started = start(api, provider, token=token, link=True)
    return complete(api, started, issuer.approve(started["authorize_url"], who), provider, token=token)


def unlink(session: SignedIn, number: int = 0) -> Answer:
    """Remove the person's identity with this number in the list."""
    listed = session.api.get("/v1/identities", token=session.access).data["identities"]
    return session.api.delete(f"/v1/identities/{listed[number]['id']}", token=session.access)


def session_of(answer: Answer, api: Api, email: str = "alice@example.com") -> SignedIn:
    """Return the person with the tokens of the answer."""
    person = Person(email=email, password="", user_id=str(Account.objects.get(email_key=email).pk), api=api)
    return SignedIn(person=person, api=api, access=answer.data["access_token"], refresh=answer.data["refresh_token"])


def dripping(issuer: Issuer) -> Reply:
    """Return a reply that sends one byte now and then, until the issuer ends."""

    def drip(_asked: Asked) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
        while not issuer.is_over.wait(0.02):
            yield b" "

    return drip


def at(seconds: float) -> int:
    """Return the present time plus a number of seconds, as in a claim."""
    return int(time.time() + seconds)
