"""The six known providers, as stubs that answer as the providers' documentation shows."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from accounts.models import Account
from sessions_app.models import Identity
from tests.client import Answer, Api
from tests.issuers import (
    CLIENT_ID,
    CLIENT_SECRET,
    REDIRECT_URI,
    Asked,
    Issuer,
    complete,
    ec_key,
    redirect_uri_of,
    response,
    running,
    sign_in,
    start,
    user,
)
from tests.password_resets import prove_address
from tests.people import Person

# The providers differ in their answers, and each answer leads to the same statements.
pytestmark = pytest.mark.once

Configure = Callable[..., None]

TENANT = "9188040d-6c67-4c5b-b112-36a304b66dad"
OTHER_TENANT = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490"


def outcome(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


@pytest.fixture
def google(configure: Configure) -> Iterator[Issuer]:
    with running() as made:
        configure(**made.variables("google"), OAUTH_TRUSTED_EMAIL=made.url)
        yield made


@pytest.mark.parametrize(
    ("email", "claims", "is_proof"),
    [
        ("alice@gmail.com", {}, True),
        ("Alice@GMAIL.com", {}, True),
        ("alice@example.com", {"hd": "example.com"}, True),
        ("alice@example.com", {}, False),
        ("alice@example.com", {"hd": ""}, False),
        ("alice@example.com", {"hd": True}, False),
        ("alice@gmail.com.example.com", {}, False),
    ],
)
def test_google_proves_only_the_mailboxes_that_it_runs(
    google: Issuer, email: str, claims: Mapping[str, Any], is_proof: bool
) -> None:
    assert sign_in(Api(), google, user("110169484474386276334", email, **claims), "google").status == 200

    assert (Account.objects.get().email_proven_at is not None) == is_proof


@pytest.fixture
def microsoft(configure: Configure) -> Iterator[Issuer]:
    with running(path="/common/v2.0") as made:
        made.metadata = {"issuer": f"http://127.0.0.1:{made.port}/{{tenantid}}/v2.0"}
        configure(**made.variables("microsoft"), OAUTH_TRUSTED_EMAIL=f"{made.url},{tenant_issuer(made, TENANT)}")
        yield made


def tenant_issuer(microsoft: Issuer, tenant: str) -> str:
    return f"http://127.0.0.1:{microsoft.port}/{tenant}/v2.0"


def of_tenant(microsoft: Issuer, tenant: str, **claims: Any) -> dict[str, Any]:
    microsoft.claims = {"iss": tenant_issuer(microsoft, tenant), "tid": tenant}
    return {"sub": "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ", "email": "alice@example.com", **claims}


def test_the_address_of_microsoft_never_counts(alice: Person, microsoft: Issuer) -> None:
    prove_address(alice)
    claims: Mapping[str, Any] = {"email_verified": True, "preferred_username": alice.email, "upn": alice.email}

    answer = sign_in(Api(), microsoft, of_tenant(microsoft, TENANT, **claims), "microsoft")

    assert outcome(answer) == (403, "oauth_email_unverified")
    assert not Identity.objects.exists()


def test_an_address_in_a_verified_domain_makes_an_unproven_account(microsoft: Issuer) -> None:
    assert sign_in(Api(), microsoft, of_tenant(microsoft, TENANT, xms_edov=True), "microsoft").status == 200

    assert Account.objects.get().email_proven_at is None
    assert Identity.objects.get().issuer == tenant_issuer(microsoft, TENANT)


def test_an_address_in_a_verified_domain_enters_no_account(alice: Person, microsoft: Issuer) -> None:
    prove_address(alice)

    answer = sign_in(Api(), microsoft, of_tenant(microsoft, TENANT, xms_edov=True), "microsoft")

    assert outcome(answer) == (409, "user_exists")


def test_the_same_ids_in_another_tenant_are_another_person(microsoft: Issuer) -> None:
    oid = "00000000-0000-0000-66f3-3332eca7ea81"
    sign_in(Api(), microsoft, of_tenant(microsoft, TENANT, oid=oid, xms_edov=True), "microsoft")

    answer = sign_in(Api(), microsoft, of_tenant(microsoft, OTHER_TENANT, oid=oid, xms_edov=True), "microsoft")

    assert outcome(answer) == (409, "user_exists")
    assert Identity.objects.get().issuer == tenant_issuer(microsoft, TENANT)


@pytest.mark.parametrize("tenant", [None, "", "common", f"{TENANT}/../{OTHER_TENANT}", OTHER_TENANT])
def test_the_issuer_of_a_tenant_must_match_the_tenant(microsoft: Issuer, tenant: str | None) -> None:
    who = of_tenant(microsoft, TENANT, xms_edov=True)
    microsoft.claims["tid"] = tenant

    assert outcome(sign_in(Api(), microsoft, who, "microsoft")) == (400, "oauth_failed")


def test_the_pattern_of_tenants_is_for_microsoft_only(api: Api, configure: Configure) -> None:
    with running(path="/common/v2.0") as issuer:
        issuer.metadata = {"issuer": f"http://127.0.0.1:{issuer.port}/{{tenantid}}/v2.0"}
        configure(**issuer.variables())

        answer = api.post("/v1/oauth/acme/start", {"redirect_uri": REDIRECT_URI})

    assert outcome(answer) == (400, "oauth_failed")


class Github:
    """The endpoints of GitHub behind an `Issuer`."""

    def __init__(self, server: Issuer) -> None:
        self.server = server
        self.user: dict[str, Any] = {
            "login": "octocat",
            "id": 1,
            "name": "monalisa octocat",
            "email": "octo@evil.example",
        }
        self.emails: Any = [
            {"email": "other@example.com", "primary": False, "verified": True, "visibility": None},
            {"email": "alice@example.com", "primary": True, "verified": True, "visibility": "private"},
        ]
        server.replies |= {
            "/login/oauth/access_token": self.token,
            "/api/v3/user": lambda asked: self._for(asked, self.user),
            "/api/v3/user/emails": lambda asked: self._for(asked, self.emails),
        }

    def token(self, asked: Asked) -> Mapping[str, Any]:
        """Answer 200 to a wrong code too, as GitHub does."""
        answer = self.server.token(asked)
        if isinstance(answer, bytes):
            return {"error": "bad_verification_code", "error_description": "The code passed is incorrect or expired."}
        assert asked.headers["accept"] == "application/json"
        return {"access_token": "gho_16C7e42F292c6912E7", "scope": "user:email", "token_type": "bearer"}

    def _for(self, asked: Asked, value: Any) -> Any:
        is_known = asked.headers.get("authorization") == "Bearer gho_16C7e42F292c6912E7"
        return value if is_known else response(b"", "401 Unauthorized")


@pytest.fixture
def github(configure: Configure) -> Iterator[Github]:
    with running() as made:
        configure(**made.variables("github"))
        yield Github(made)


def test_github_signs_in_by_its_number_and_its_primary_verified_address(api: Api, github: Github) -> None:
    started = start(api, "github")
    returned = github.server.approve(started["authorize_url"], {"sub": "unused"})

    assert started["authorize_url"].startswith(f"{github.server.url}/login/oauth/authorize?")
    assert complete(api, started, returned, "github").status == 200

    identity = Identity.objects.get()
    assert (identity.subject, identity.name) == ("1", "monalisa octocat")
    assert Account.objects.get().email_key == "alice@example.com"


@pytest.mark.parametrize(
    "emails",
    [
        [],
        {"message": "Not Found"},
        [{"email": "alice@example.com", "primary": True, "verified": False}],
        [{"email": "alice@example.com", "primary": False, "verified": True}],
    ],
)
def test_an_address_of_github_must_be_primary_and_verified(github: Github, emails: Any) -> None:
    github.emails = emails

    assert outcome(sign_in(Api(), github.server, {"sub": "unused"}, "github")) == (403, "oauth_email_unverified")


def test_the_next_owner_of_a_github_login_is_another_person(github: Github) -> None:
    sign_in(Api(), github.server, {"sub": "unused"}, "github")
    github.user["id"] = 2

    assert outcome(sign_in(Api(), github.server, {"sub": "unused"}, "github")) == (409, "user_exists")


@pytest.mark.parametrize("number", [None, "1", True, 1.5])
def test_github_must_state_a_number(github: Github, number: object) -> None:
    github.user["id"] = number

    assert outcome(sign_in(Api(), github.server, {"sub": "unused"}, "github")) == (400, "oauth_failed")


def test_a_wrong_code_of_github_is_refused(api: Api, github: Github) -> None:
    started = start(api, "github")
    returned = github.server.approve(started["authorize_url"], {"sub": "unused"})

    assert outcome(complete(api, started, {**returned, "code": "x"}, "github")) == (400, "oauth_failed")


@pytest.mark.parametrize(("verified", "expected"), [(True, (200, "")), (False, (403, "oauth_email_unverified"))])
def test_discord_signs_in_by_its_id_and_verified_address(
    api: Api, configure: Configure, verified: bool, expected: tuple[int, str]
) -> None:
    with running() as server:
        configure(**server.variables("discord"))
        server.replies |= {
            "/api/v10/oauth2/token": server.token,
            "/api/v10/users/@me": lambda _: {
                "id": "80351110224678912",
                "username": "nelly",
                "global_name": "Nelly",
                "verified": verified,
                "email": "nelly@discord.example",
            },
        }
        answer = sign_in(api, server, {"sub": "unused"}, "discord")

    assert (answer.status, "" if answer.status == 200 else answer.code) == expected
    assert [(identity.subject, identity.name) for identity in Identity.objects.all()] == (
        [("80351110224678912", "Nelly")] if verified else []
    )


def test_gitlab_signs_in_by_discovery_and_the_userinfo(api: Api, configure: Configure) -> None:
    with running() as gitlab:
        configure(**gitlab.variables("gitlab"))
        gitlab.userinfo = {"email": "alice@example.com", "email_verified": True, "nickname": "alice"}

        assert sign_in(api, gitlab, {"sub": "70342"}, "gitlab").status == 200
    assert Account.objects.get().email_key == "alice@example.com"


class Apple:
    """Apple behind an `Issuer`: a client secret that is a JWT, and an answer by a form."""

    def __init__(self, server: Issuer) -> None:
        self.server = server
        self.key = ec_key()
        server.metadata = {"token_endpoint_auth_methods_supported": ["client_secret_post"], "userinfo_endpoint": None}
        server.replies["/token"] = self.token

    def variables(self) -> dict[str, str]:
        """Return the settings. A variable of an environment holds the key on one line."""
        pem = self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        return self.server.variables("apple") | {
            "OAUTH_APPLE_CLIENT_SECRET": pem.replace("\n", "\\n"),
            "OAUTH_APPLE_TEAM_ID": "DEF123GHIJ",
            "OAUTH_APPLE_KEY_ID": "ABC123DEFG",
        }

    def token(self, asked: Asked) -> bytes | Mapping[str, Any]:
        """Check the client secret, and answer as the issuer does."""
        secret = asked.form["client_secret"]
        claims = jwt.decode(
            secret, self.key.public_key(), algorithms=["ES256"], audience=self.server.url, issuer="DEF123GHIJ"
        )
        assert (jwt.get_unverified_header(secret)["kid"], claims["sub"]) == ("ABC123DEFG", CLIENT_ID)
        assert 0 < claims["exp"] - claims["iat"] <= 15_777_000
        form = {**asked.form, "client_secret": CLIENT_SECRET}
        return self.server.token(replace(asked, form=form))


@pytest.fixture
def apple(configure: Configure) -> Iterator[Apple]:
    with running() as made:
        found = Apple(made)
        configure(**found.variables())
        yield found


def test_apple_posts_its_answer_and_the_browser_carries_it_to_the_application(api: Api, apple: Apple) -> None:
    started = start(api, "apple")
    query = dict(parse_qsl(urlsplit(started["authorize_url"]).query))
    assert (query["response_mode"], query["scope"]) == ("form_post", "openid email name")
    assert query["redirect_uri"].endswith("/v1/oauth/apple/return")
    returned = apple.server.approve(
        started["authorize_url"], {"sub": "001234.f0", "email": "alice@example.com", "email_verified": "true"}
    )
    form = {**returned, "user": '{"name": {"firstName": "Alice", "lastName": "Example"}}', "id_token": "secret"}

    redirect = api.client.post(
        "/v1/oauth/apple/return",
        "&".join(f"{name}={value}" for name, value in form.items()),
        content_type="application/x-www-form-urlencoded",
    )

    assert redirect.status_code == 303
    address, _, fragment = redirect.headers["Location"].partition("#")
    found = {name: values[0] for name, values in parse_qs(fragment).items()}
    assert address == REDIRECT_URI
    assert found == {**returned, "user": form["user"]}
    body = {
        "state_token": started["state_token"],
        **returned,
        "user": {"name": {"firstName": "Alice", "lastName": "Ex"}},
    }
    assert api.post("/v1/oauth/apple/complete", body).status == 200
    assert Identity.objects.get().name == "Alice Ex"


def test_an_error_of_apple_is_not_shown(api: Api, apple: Apple) -> None:
    state = parse_qs(urlsplit(start(api, "apple")["authorize_url"]).query)["state"][0]

    redirect = api.client.post(
        "/v1/oauth/apple/return",
        f"state={state}&error=user_cancelled_authorize",
        content_type="application/x-www-form-urlencoded",
    )

    assert redirect.headers["Location"] == f"{REDIRECT_URI}#state={state}&error=oauth_failed"


@pytest.mark.parametrize("state", ["x", "", "another provider's"])
def test_an_unknown_state_redirects_nowhere(api: Api, apple: Apple, configure: Configure, state: str) -> None:
    configure(OAUTH_GOOGLE_CLIENT_ID="x", OAUTH_GOOGLE_CLIENT_SECRET="x", OAUTH_REDIRECT_URIS=redirect_uri_of("google"))
    if state == "another provider's":
        state = parse_qs(urlsplit(start(api, "google")["authorize_url"]).query)["state"][0]

    answer = api.send(
        "POST",
        "/v1/oauth/apple/return",
        f"state={state}&code=x".encode(),
        content_type="application/x-www-form-urlencoded",
    )

    assert (answer.status, answer.code) == (400, "invalid_oauth_state" if state else "bad_request")
