"""Applications that sign people in by OpenID: a client of the provider without a browser."""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from django.test import Client as TestClient
from django.urls import reverse

from core.clock import now
from core.keys import jwt
from oidc.clients.registration import NewClient, register_client
from oidc.models import Client
from oidc.scopes import SCOPES
from tests.pages import FORM, HOST, Browser
from tests.proofs import Prover

REDIRECT_URI = "https://app.example.com/back"
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()


@dataclass(frozen=True)
class Reply:
    """An answer of an endpoint for clients."""

    status: int
    body: Any
    headers: Mapping[str, str]


@dataclass
class Application:
    """An application, with the tokens of its latest sign-in."""

    client: Client
    secret: str
    redirect_uri: str = REDIRECT_URI
    tokens: dict[str, Any] = field(default_factory=dict)
    prover: Prover | None = None
    """The key that the application proves, or None."""
    http: TestClient = field(default_factory=lambda: TestClient(raise_request_exception=False))

    @property
    def client_id(self) -> str:
        """The id of the client."""
        return str(self.client.pk)

    def request(self, **changed: str | None) -> dict[str, str]:
        """Return the parameters of an authorization request. None leaves a parameter out."""
        usual = {
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "response_type": "code",
            "scope": "openid email",
            "state": "st&te",
            "nonce": "n-0S6",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
        }
        return {name: value for name, value in {**usual, **changed}.items() if value is not None}

    def authorize(self, browser: Browser, **changed: str | None) -> Browser:
        """Open the authorization endpoint in the browser, and the pages of this service to which it leads."""
        browser.open(f"{reverse('authsvc-oidc-authorize')}?{urlencode(self.request(**changed))}")
        while browser.location.startswith("/"):
            browser.open(browser.location)
        return browser

    def push(self, **changed: str | None) -> Reply:
        """Push an authorization request."""
        return self.post("par", self.request(**changed))

    def visit(self, browser: Browser, uri: str, **changed: str) -> Browser:
        """Open the authorization endpoint with the `request_uri`, and the pages of this service to which it leads."""
        query = urlencode({"client_id": self.client_id, "request_uri": uri, **changed})
        browser.open(f"{reverse('authsvc-oidc-authorize')}?{query}")
        while browser.location.startswith("/"):
            browser.open(browser.location)
        return browser

    def code(self, browser: Browser, **changed: str | None) -> str:
        """Return the code for the person of the browser's session, who agrees when the page asks."""
        self.authorize(browser, **changed)
        if browser.shows_form("authsvc-oidc-consent"):
            browser.submit("authsvc-oidc-consent", decision="allow")
        return answer_in(browser)["code"]

    def sign_in(self, browser: Browser, **changed: str | None) -> "Application":
        """Get the tokens of a session for the person of the browser's session."""
        reply = self.redeem(self.code(browser, **changed))
        assert reply.status == 200, reply
        self.tokens = reply.body
        return self

    def redeem(self, code: str, **changed: str | None) -> Reply:
        """Redeem the code at the token endpoint."""
        form = {"code": code, "redirect_uri": self.redirect_uri, "code_verifier": VERIFIER, **changed}
        return self.token("authorization_code", **form)

    def refresh(self, **changed: str | None) -> Reply:
        """Refresh the tokens, and keep the new ones."""
        reply = self.token("refresh_token", **{"refresh_token": self.tokens["refresh_token"], **changed})
        if reply.status == 200:
            self.tokens = reply.body
        return reply

    def token(self, grant_type: str, **form: str | None) -> Reply:
        """Call the token endpoint."""
        return self.post("token", {"grant_type": grant_type, **form})

    def post(self, endpoint: str, form: Mapping[str, str | None], headers: Mapping[str, str] | None = None) -> Reply:
        """POST the form to an endpoint. The client authenticates in it, unless the headers do."""
        proof = {"client_id": self.client_id, **({"client_secret": self.secret} if self.secret else {})}
        own = {} if "Authorization" in (headers or {}) else proof
        given = {name: value for name, value in {**own, **form}.items() if value is not None}
        proven = self.prover.headers("POST", f"/oauth2/{endpoint}") if self.prover else {}
        return self.call("POST", endpoint, urlencode(given).encode(), headers={**proven, **(headers or {})})

    def userinfo(self, token: str | None = None) -> Reply:
        """Ask userinfo with an access token, or with the own one."""
        given = self.tokens["access_token"] if token is None else token
        if self.prover:
            return self.call("GET", "userinfo", headers=self.prover.headers("GET", "/oauth2/userinfo", access=given))
        return self.call("GET", "userinfo", headers={"Authorization": f"Bearer {given}"})

    def call(self, method: str, endpoint: str, raw: bytes = b"", *, headers: Mapping[str, str]) -> Reply:
        """Call an endpoint below /oauth2/."""
        answer: Any = self.http.generic(
            method, f"/oauth2/{endpoint}", raw, content_type=FORM, headers={"Host": HOST, **headers}
        )
        assert answer.headers["Content-Type"] == "application/json", answer.content
        assert answer.headers["Cache-Control"] == "no-store"
        return Reply(status=answer.status_code, body=json.loads(answer.content), headers=answer.headers)

    def copies(self, number: int) -> list["Application"]:
        """Return copies that can call at the same time."""
        return [replace(self, http=TestClient(raise_request_exception=False)) for _ in range(number)]

    def id_claims(self) -> Mapping[str, Any]:
        """Return the claims of the ID token, whose signature is checked."""
        return jwt.find_claims(self.tokens["id_token"], type_="JWT", now=now()) or {}


def register(
    *,
    name: str = "Grafana",
    redirect_uri: str = REDIRECT_URI,
    is_public: bool = False,
    needs_pkce: bool = True,
    needs_par: bool = False,
    needs_dpop: bool = False,
    may_use_devices: bool = False,
    scopes: Sequence[str] = SCOPES,
    resources: Sequence[str] = (),
    is_first_party: bool = True,
    jwks: Mapping[str, Any] | None = None,
    **others: Any,
) -> Application:
    """Register a client. It is a first party, so the tests of other things than the consent see no page."""
    new = NewClient(
        name=name,
        is_public=is_public,
        jwks=jwks,
        redirect_uris=[redirect_uri],
        needs_pkce=needs_pkce,
        needs_par=needs_par,
        needs_dpop=needs_dpop,
        may_use_devices=may_use_devices,
        scopes=scopes,
        resources=resources,
        is_first_party=is_first_party,
        **others,
    )
    made = register_client(new=new, now=now())
    return Application(client=made.client, secret=made.secret, redirect_uri=redirect_uri)


def answer_in(browser: Browser) -> dict[str, str]:
    """Return the parameters of the answer to the client: of a redirect, of the page that leads on, or of a form."""
    for form in browser.forms:
        if form.action.startswith("https:"):
            return form.fields
    url = browser.location
    if not url:
        meta = browser.text.partition('http-equiv="refresh" content="0;url=')[2].partition('"')[0]
        url = meta.replace("&amp;", "&")
    assert url, browser.text
    return dict(parse_qsl(urlsplit(url).query, keep_blank_values=True))
