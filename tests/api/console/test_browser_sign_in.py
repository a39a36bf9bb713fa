"""The sign-in to the console: every factor, every refusal, and the session that it opens."""

from collections.abc import Callable
from datetime import timedelta
from urllib.parse import quote

import pytest
import time_machine
from django.urls import reverse
from orjson import dumps
from pytest_django import DjangoAssertNumQueries

from accounts.ops.retention import prune
from core import clock
from core.db.deployment import has_own_users
from pages.models import BrowserSession
from sessions_app.models import Family
from tests import passkeys
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Api
from tests.console_browser import Browser, grant, path_of, prefix
from tests.people import Person, SignedIn, sign_up
from tests.second_factors import enroll_totp, generate_codes, lock

Configure = Callable[..., None]

pytestmark = pytest.mark.usefixtures("full_deployment")


@pytest.fixture
def olivia(db: None) -> Person:
    """Olivia, an operator without a second factor."""
    person = sign_up("olivia")
    grant(person)
    return person


@pytest.fixture
def session(olivia: Person) -> SignedIn:
    """A session of Olivia in her application."""
    return olivia.log_in()


@pytest.fixture
def browser() -> Browser:
    return Browser()


@pytest.fixture
def optional(configure: Configure) -> None:
    """A deployment whose operators need no second factor."""
    configure(OPERATOR_SECOND_FACTOR="optional")


def sign_in_path(following: str) -> str:
    return f"{prefix()}sign-in?next={quote(following, safe='')}"


@pytest.mark.usefixtures("optional")
def test_an_operator_signs_in_with_the_password(browser: Browser, olivia: Person) -> None:
    browser.open()
    assert (browser.status, browser.location) == (303, f"{prefix()}sign-in")
    browser.follow()
    assert 'autocomplete="current-password"' in browser.text

    browser.sign_in(olivia)

    assert (browser.status, browser.location) == (303, prefix())
    browser.follow()
    assert browser.status == 200
    assert olivia.email in browser.text
    assert browser.page.headers["Cache-Control"] == "no-store"


@pytest.mark.usefixtures("optional")
def test_the_cookie_is_an_opaque_handle_that_scripts_and_other_sites_do_not_get(
    browser: Browser, olivia: Person
) -> None:
    browser.sign_in(olivia)

    cookie = browser.client.cookies["gatehouse"]

    assert len(cookie.value) == 43
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    assert (cookie["secure"], cookie["domain"]) == ("", "")


def test_on_https_the_cookie_has_the_host_prefix_and_is_secure(
    browser: Browser, olivia: Person, configure: Configure
) -> None:
    configure(OPERATOR_SECOND_FACTOR="optional", BASE_URL="https://auth.example.com")
    own = {"Origin": "https://auth.example.com"}

    browser.send("sign-in", {"email": olivia.email, "password": PASSWORD}, headers=own)

    (name,) = browser.client.cookies
    cookie = browser.client.cookies[name]
    assert name == "__Host-gatehouse"
    assert (cookie["secure"], cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, True, "Lax", "/")
    assert browser.is_signed_in()
    browser.send("sign-out", {"csrf_token": browser.field("csrf_token")}, headers=own)
    assert (cookie["secure"], browser.client.cookies[name].value) == (True, "")


def test_a_code_of_the_authenticator_app_completes_the_sign_in(browser: Browser, session: SignedIn) -> None:
    app = enroll_totp(session)
    browser.sign_in(session.person, next=f"{prefix()}users?q=a")
    assert (browser.status, browser.cookie) == (200, "")
    pending = {name: browser.field(name) for name in ("pending_token", "methods", "next")}
    assert 'autocomplete="one-time-code"' in browser.text

    browser.send("sign-in/factor/totp", {**pending, "code": app.wrong_code()})
    assert browser.status == 401
    assert "The code is" in browser.text
    assert browser.cookie == ""
    assert browser.field("pending_token") == pending["pending_token"]

    browser.send("sign-in/factor/totp", {**pending, "code": app.code(steps=1)})
    assert (browser.status, browser.location) == (303, f"{prefix()}users?q=a")
    assert browser.is_signed_in()


def test_a_recovery_code_completes_the_sign_in_once(browser: Browser, session: SignedIn) -> None:
    enroll_totp(session)
    code, *_ = generate_codes(session)
    browser.sign_in(session.person)
    form = {"pending_token": browser.field("pending_token"), "methods": "totp", "recovery_code": code}

    browser.send("sign-in/factor/recovery_code", form)
    assert browser.is_signed_in()

    other = Browser()
    other.sign_in(session.person)
    form["pending_token"] = other.field("pending_token")
    assert other.send("sign-in/factor/recovery_code", form).status == 401
    assert "recovery code" in other.text


def test_a_passkey_completes_the_sign_in(browser: Browser, olivia: Person) -> None:
    authenticator = Authenticator()
    passkeys.enroll(olivia, authenticator)
    browser.sign_in(olivia)
    form = {"pending_token": browser.field("pending_token"), "methods": "passkey"}

    begun = browser.send("sign-in/second-passkey/begin", form).page.json()["data"]
    answer = authenticator.get(begun["public_key"])
    browser.send(
        "sign-in/factor/passkey",
        {**form, "ceremony_token": begun["ceremony_token"], "credential": dumps(answer).decode()},
    )

    assert browser.is_signed_in()


def test_a_passkey_alone_signs_in(browser: Browser, olivia: Person) -> None:
    authenticator = Authenticator()
    passkeys.enroll(olivia, authenticator)

    begun = browser.send("sign-in/passkey/begin").page.json()["data"]
    answer = authenticator.get(begun["public_key"])
    form = {"ceremony_token": begun["ceremony_token"], "credential": dumps(answer).decode()}
    browser.send("sign-in/passkey", form)

    assert browser.is_signed_in()
    again = Browser().send("sign-in/passkey", form)
    assert (again.status, again.cookie) == (400, "")


@pytest.mark.parametrize("credential", ["", "null", "[]", "{", "{}", "[" * 5000])
def test_a_response_that_is_no_passkeys_opens_nothing(browser: Browser, db: None, credential: str) -> None:
    begun = browser.send("sign-in/passkey/begin").page.json()["data"]

    browser.send("sign-in/passkey", {"ceremony_token": begun["ceremony_token"], "credential": credential})

    assert browser.status in {401, 422}
    assert "Sign in to the console" in browser.text
    assert browser.cookie == ""


@pytest.mark.parametrize("password", ["wrong", "", "x" * 5000])
def test_a_wrong_password_gets_the_message_of_the_api(browser: Browser, olivia: Person, password: str) -> None:
    browser.send("sign-in", {"email": olivia.email, "password": password})

    message = Api().post("/v1/login", {"email": olivia.email, "password": "wrong"}).body["error"]["message"]
    assert (browser.status, browser.cookie) == (401, "")
    assert message in browser.text
    assert browser.field("email") == olivia.email
    assert password not in browser.text or not password


def test_the_lock_of_the_account_applies(browser: Browser, olivia: Person) -> None:
    lock(olivia)

    browser.sign_in(olivia)

    assert (browser.status, browser.cookie) == (403, "")
    assert "Too many failed attempts locked this account." in browser.text
    assert "magic link" not in browser.text
    assert "or sign in with a passkey" in browser.text


def test_a_known_network_of_the_operator_passes_a_lock_that_others_caused(browser: Browser, olivia: Person) -> None:
    browser.sign_in(olivia)
    others = Api(ip="198.51.100.7")
    for _ in range(5):
        others.post("/v1/login", {"email": olivia.email, "password": "wrong"})
    assert olivia.account().locked_until is not None

    again = Browser().sign_in(olivia)

    assert (again.status, bool(again.cookie)) == (303, True)


def test_wrong_sign_ins_lock_the_account(browser: Browser, olivia: Person) -> None:
    for _ in range(5):
        browser.send("sign-in", {"email": olivia.email, "password": "wrong"})

    assert olivia.account().locked_until is not None


def test_the_limits_of_logins_apply(browser: Browser, olivia: Person, configure: Configure) -> None:
    configure(RATE_LIMITS="login=1/h,login_ip=off,edge=off")
    assert olivia.api.post("/v1/login", {"email": olivia.email, "password": "wrong"}).status == 401

    browser.sign_in(olivia)

    assert (browser.status, browser.cookie) == (429, "")
    assert 0 < int(browser.page.headers["Retry-After"]) <= 3600
    assert "Too many requests." in browser.text


def test_the_limits_of_completions_apply(browser: Browser, session: SignedIn, configure: Configure) -> None:
    app = enroll_totp(session)
    configure(RATE_LIMITS="completion=1/h,edge=off,login=off,login_ip=off")
    browser.sign_in(session.person)
    form = {"pending_token": browser.field("pending_token"), "methods": "totp"}

    browser.send("sign-in/factor/totp", {**form, "code": app.wrong_code()})
    browser.send("sign-in/factor/totp", {**form, "code": app.code(steps=1)})

    assert (browser.status, browser.cookie) == (429, "")
    assert browser.field("pending_token") == form["pending_token"]


def test_five_wrong_codes_end_the_sign_in(browser: Browser, session: SignedIn) -> None:
    app = enroll_totp(session)
    browser.sign_in(session.person)
    form = {"pending_token": browser.field("pending_token"), "methods": "totp"}

    for _ in range(5):
        browser.send("sign-in/factor/totp", {**form, "code": app.wrong_code()})
    browser.send("sign-in/factor/totp", {**form, "code": app.code(steps=1)})

    assert browser.status == 401
    assert "This login has expired or is not valid any more." in browser.text
    assert "Sign in to the console" in browser.text


def test_a_typed_address_appears_escaped(browser: Browser, db: None) -> None:
    typed = '"><script>alert(1)</script>'

    browser.send("sign-in", {"email": typed, "password": "x"})

    assert browser.status == 401
    assert "<script>alert" not in browser.text
    assert browser.field("email") == typed


@pytest.mark.usefixtures("optional")
def test_the_session_is_in_the_list_of_sessions_and_can_be_ended_there(
    browser: Browser, olivia: Person, session: SignedIn
) -> None:
    browser.sign_in(olivia)
    listed = olivia.api.get("/v1/sessions", token=session.access).data
    (own,) = [entry for entry in listed if not entry["current"]]

    olivia.api.delete(f"/v1/sessions/{own['id']}", token=session.access)

    assert len(listed) == 2
    assert not browser.is_signed_in()


@pytest.mark.usefixtures("optional")
def test_a_logout_everywhere_ends_the_session(browser: Browser, olivia: Person, session: SignedIn) -> None:
    browser.sign_in(olivia)

    olivia.api.post("/v1/logout-all", token=session.access)

    assert not browser.is_signed_in()


@pytest.mark.usefixtures("optional")
def test_a_change_of_the_password_ends_the_session(browser: Browser, olivia: Person, session: SignedIn) -> None:
    browser.sign_in(olivia)
    body = {"current_password": PASSWORD, "new_password": "another horse battery"}

    assert olivia.api.post("/v1/change-password", body, token=session.access).status == 200

    assert not browser.is_signed_in()


@pytest.mark.usefixtures("optional")
def test_the_deletion_of_the_account_ends_the_session(browser: Browser, olivia: Person, session: SignedIn) -> None:
    browser.sign_in(olivia)

    assert olivia.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access).status == 200

    assert not browser.is_signed_in()


@pytest.mark.usefixtures("optional")
@pytest.mark.skipif(has_own_users(), reason="only a host project deactivates users")
def test_a_user_whom_the_host_deactivates_or_gives_a_password_is_signed_out(browser: Browser, olivia: Person) -> None:
    browser.sign_in(olivia)
    user = olivia.account().user

    user.is_active = False
    user.save()
    assert not browser.is_signed_in()
    user.is_active = True
    user.save()
    assert browser.is_signed_in()
    user.set_password("another horse battery")
    user.save()

    assert not browser.is_signed_in()


@pytest.mark.usefixtures("optional")
def test_the_sweep_deletes_a_session_with_its_family(browser: Browser, olivia: Person) -> None:
    browser.sign_in(olivia)

    list(prune(now=clock.now() + timedelta(days=61)))

    assert not BrowserSession.objects.exists()


@pytest.mark.usefixtures("optional")
def test_a_sign_out_ends_the_session_and_deletes_the_cookie(browser: Browser, olivia: Person) -> None:
    browser.sign_in(olivia)
    handle = browser.cookie

    browser.submit("sign-out")

    assert (browser.status, path_of(browser.location), browser.cookie) == (303, f"{prefix()}sign-in", "")
    browser.client.cookies["gatehouse"] = handle
    assert not browser.is_signed_in()


@pytest.mark.usefixtures("optional")
def test_a_session_ends_after_thirty_idle_minutes(
    browser: Browser, olivia: Person, travel: time_machine.Traveller
) -> None:
    browser.sign_in(olivia)

    for _ in range(3):
        travel.shift(timedelta(minutes=29))
        assert browser.is_signed_in()
    travel.shift(timedelta(minutes=29))
    background = browser.open(headers={"X-Console-Background": "1"})
    assert background.status == 200
    travel.shift(timedelta(minutes=1))

    assert not browser.is_signed_in()


@pytest.mark.usefixtures("optional")
def test_a_session_ends_after_twelve_hours_in_use(
    browser: Browser, olivia: Person, travel: time_machine.Traveller
) -> None:
    browser.sign_in(olivia).follow()

    for _ in range(25):
        travel.shift(timedelta(minutes=28))
        assert browser.is_signed_in()
    travel.shift(timedelta(minutes=20))

    assert not browser.is_signed_in()


@pytest.mark.usefixtures("optional")
def test_a_second_sign_in_in_the_same_browser_ends_the_first_session(browser: Browser, olivia: Person) -> None:
    browser.sign_in(olivia)
    first = browser.cookie

    browser.sign_in(olivia)

    assert browser.is_signed_in()
    assert browser.cookie != first
    assert Family.objects.filter(account__email_key=olivia.email, revoked_at=None).count() == 1


@pytest.mark.usefixtures("optional")
def test_two_uses_within_a_minute_write_once(
    browser: Browser, olivia: Person, travel: time_machine.Traveller, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    browser.sign_in(olivia).follow()

    # One query finds the session, and one the operator. The empty form of the diagnosis reads nothing else.
    with django_assert_num_queries(2):
        assert browser.open("diagnose").status == 200


@pytest.mark.usefixtures("optional")
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:8001"},
        {"Origin": "http://localhost:8000", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://localhost:8000", "Sec-Fetch-Site": "same-site"},
        {"Origin": "http://localhost:8000", "Sec-Fetch-Site": "none"},
    ],
)
def test_a_form_of_another_site_is_refused(browser: Browser, olivia: Person, headers: dict[str, str]) -> None:
    browser.sign_in(olivia)
    token = browser.token()

    for path, form in (("sign-out", {"csrf_token": token}), ("sign-in", {"email": olivia.email, "password": PASSWORD})):
        body = "&".join(f"{name}={quote(value)}" for name, value in form.items()).encode()
        browser._send("POST", path, body, headers=headers)
        assert browser.status == 403

    assert browser.is_signed_in()


@pytest.mark.usefixtures("optional")
def test_a_form_needs_the_token_of_its_own_session(browser: Browser, olivia: Person) -> None:
    browser.sign_in(olivia)
    other = Browser()
    other.sign_in(olivia)

    for token in ("", "wrong", "é", other.token(), browser.cookie):
        assert browser.send("sign-out", {"csrf_token": token}).status == 403
    assert browser.send("sign-out").status == 403
    assert browser.is_signed_in()

    browser.send("sign-out", headers={"X-CSRF-Token": browser.token(), "Sec-Fetch-Site": "same-origin"})
    assert browser.status == 303


@pytest.mark.usefixtures("optional")
@pytest.mark.parametrize(
    "following",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example",
        "\\\\evil.example",
        "javascript:alert(1)",
        "/v1/health",
        "/console",
        "{prefix}../v1/health",
        "{prefix}/evil.example",
        "{prefix}\\evil",
        "{prefix}\tusers",
        "{prefix}\nSet-Cookie: a=b",
        "{prefix}ü",
        "{prefix}" + "x" * 2001,
    ],
)
def test_a_sign_in_leads_to_no_other_site(browser: Browser, olivia: Person, following: str) -> None:
    browser.sign_in(olivia, next=following.format(prefix=prefix()))

    assert (browser.status, browser.location) == (303, prefix())
    browser.open(f"sign-in?next={quote(following.format(prefix=prefix()), safe='')}")
    assert browser.location == prefix()


@pytest.mark.usefixtures("optional")
def test_a_sign_in_leads_to_the_page_that_the_operator_asked_for(browser: Browser, olivia: Person) -> None:
    asked = f"{prefix()}users?q=bob%40example.com&limit=5"
    browser.open(asked)
    assert browser.location == sign_in_path(asked)
    browser.follow()

    browser.sign_in(olivia, next=browser.field("next"))

    assert browser.location == asked


@pytest.mark.usefixtures("optional")
def test_the_cookie_does_not_count_for_json(browser: Browser, olivia: Person) -> None:
    browser.sign_in(olivia)

    answers = [
        browser._send("GET", "/v1/admin/overview", headers={"Accept": "application/json"}),
        browser._send("GET", "/v1/admin/overview"),
        browser._send("GET", "/v1/sessions"),
    ]

    assert {answer.status for answer in answers} == {401}


@pytest.mark.usefixtures("optional")
def test_no_answer_of_the_api_sets_a_cookie(browser: Browser, olivia: Person) -> None:
    browser.sign_in(olivia)
    body = dumps({"email": olivia.email, "password": PASSWORD})

    answers = [
        browser.client.post("/v1/login", body, content_type="application/json"),
        browser.client.get("/v1/sessions"),
        browser.client.get("/v1/health"),
        browser.client.get("/v1/admin/overview"),
    ]

    assert [bool(answer.cookies) for answer in answers] == [False] * 4


@pytest.mark.usefixtures("optional")
def test_an_unknown_path_is_a_page_for_operators_only(browser: Browser, olivia: Person) -> None:
    assert browser.open("nonsense/\n").location.startswith(f"{prefix()}sign-in")

    browser.sign_in(olivia)
    browser.open("nonsense")

    assert browser.status == 404
    assert "There is no such page" in browser.text


def test_the_console_without_its_slash_leads_to_the_first_page(browser: Browser, db: None) -> None:
    browser.open(prefix().rstrip("/"))

    assert (browser.status, browser.location) == (302, prefix())


def test_every_page_has_a_strict_policy_with_a_new_nonce(browser: Browser, db: None) -> None:
    policies = [browser.open("sign-in").page.headers["Content-Security-Policy"] for _ in range(2)]

    assert policies[0] != policies[1]
    assert "default-src 'none'; script-src 'nonce-" in policies[0]
    assert "unsafe" not in policies[0]
    assert "frame-ancestors 'none'" in policies[0]


@pytest.mark.parametrize("name", ["console.css", "console.js", "passkeys.js", "htmx.min.js"])
def test_a_browser_may_keep_each_version_of_a_file(browser: Browser, db: None, name: str) -> None:
    from console.browser.asset_files import asset_url  # noqa: PLC0415 - an embedded deployment has no such address

    kept = browser.open(asset_url(name)).page
    other = browser.open(reverse("authsvc-console-asset", args=[name]) + "?v=old").page

    assert kept.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert other.headers["Cache-Control"] == "no-store"
    assert browser.open("assets/nonsense.js").status == 404
