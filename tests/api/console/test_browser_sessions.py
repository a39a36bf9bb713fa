"""The session of a browser in the console: how it begins and ends, and what it opens."""

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
from tests.client import PASSWORD
from tests.console_browser import Browser, grant, prefix, signed_in
from tests.pages import path_of
from tests.people import Person, SignedIn, existing, existing_session

Configure = Callable[..., None]

pytestmark = pytest.mark.usefixtures("full_deployment")


@pytest.fixture
def olivia(db: None) -> Person:
    """Olivia, an operator without a second factor."""
    person = existing("olivia")
    grant(person)
    return person


@pytest.fixture
def session(olivia: Person) -> SignedIn:
    """A session of Olivia in her application."""
    return existing_session(olivia)


@pytest.fixture
def browser(olivia: Person) -> Browser:
    """A browser whose session has entered the console."""
    return signed_in(olivia)


@pytest.fixture
def optional(configure: Configure) -> None:
    """A deployment whose operators need no second factor."""
    configure(OPERATOR_SECOND_FACTOR="optional")


@pytest.mark.usefixtures("optional")
def test_the_session_is_in_the_list_of_sessions_and_can_be_ended_there(
    browser: Browser, olivia: Person, session: SignedIn
) -> None:
    listed = olivia.api.get("/v1/sessions", token=session.access).data
    (own,) = [entry for entry in listed if not entry["current"]]

    olivia.api.delete(f"/v1/sessions/{own['id']}", token=session.access)

    assert len(listed) == 2
    assert not browser.is_signed_in()


@pytest.mark.usefixtures("optional")
def test_a_logout_everywhere_ends_the_session(browser: Browser, olivia: Person, session: SignedIn) -> None:
    olivia.api.post("/v1/logout-all", token=session.access)

    assert not browser.is_signed_in()


@pytest.mark.usefixtures("optional")
def test_a_change_of_the_password_ends_the_session(browser: Browser, olivia: Person, session: SignedIn) -> None:
    body = {"current_password": PASSWORD, "new_password": "another horse battery"}

    assert olivia.api.post("/v1/change-password", body, token=session.access).status == 200

    assert not browser.is_signed_in()


@pytest.mark.usefixtures("optional")
def test_the_deletion_of_the_account_ends_the_session(browser: Browser, olivia: Person, session: SignedIn) -> None:
    assert olivia.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access).status == 200

    assert not browser.is_signed_in()


@pytest.mark.usefixtures("optional")
@pytest.mark.skipif(has_own_users(), reason="only a host project deactivates users")
def test_a_user_whom_the_host_deactivates_or_gives_a_password_is_signed_out(browser: Browser, olivia: Person) -> None:
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
    list(prune(now=clock.now() + timedelta(days=61)))

    assert not BrowserSession.objects.exists()


@pytest.mark.usefixtures("optional")
def test_a_sign_out_ends_the_session_and_deletes_the_cookie(browser: Browser, olivia: Person) -> None:
    handle = browser.cookie

    browser.open().send("authsvc-sign-out", {"csrf_token": browser.token(), "next": browser.field("next")})

    assert (browser.status, path_of(browser.location), browser.cookie) == (303, reverse("authsvc-sign-in"), "")
    assert f"next={quote(prefix(), safe='')}" in browser.location
    browser.client.cookies["gatehouse"] = handle
    assert not browser.is_signed_in()


@pytest.mark.usefixtures("optional")
def test_a_session_ends_after_thirty_idle_minutes(travel: time_machine.Traveller, browser: Browser) -> None:
    for _ in range(3):
        travel.shift(timedelta(minutes=29))
        assert browser.is_signed_in()
    travel.shift(timedelta(minutes=29))
    background = browser.open(headers={"X-Console-Background": "1"})
    assert background.status == 200
    travel.shift(timedelta(minutes=1))

    assert not browser.is_signed_in()


@pytest.mark.usefixtures("optional")
def test_a_session_ends_after_twelve_hours_in_use(travel: time_machine.Traveller, browser: Browser) -> None:
    for _ in range(25):
        travel.shift(timedelta(minutes=28))
        assert browser.is_signed_in()
    travel.shift(timedelta(minutes=20))

    assert not browser.is_signed_in()


@pytest.mark.usefixtures("optional")
def test_two_uses_within_a_minute_write_once(
    travel: time_machine.Traveller, browser: Browser, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
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
    body = f"csrf_token={browser.token()}&zone=Europe%2FBerlin".encode()

    browser._send("POST", "time-zone", body, headers=headers)

    assert browser.status == 403
    assert not browser.page.cookies


@pytest.mark.usefixtures("optional")
def test_a_form_needs_the_token_of_its_own_session(browser: Browser, olivia: Person) -> None:
    other = signed_in(olivia)

    for token in ("", "wrong", "é", other.token(), browser.cookie):
        assert browser.send("time-zone", {"csrf_token": token, "zone": "UTC"}).status == 403
    assert browser.send("time-zone", {"zone": "UTC"}).status == 403

    headers = {"X-CSRF-Token": browser.token(), "Sec-Fetch-Site": "same-origin"}
    assert browser.send("time-zone", {"zone": "UTC"}, headers=headers).status == 303


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
def test_a_form_leads_to_no_page_outside_the_console(browser: Browser, following: str) -> None:
    browser.submit("time-zone", {"zone": "UTC", "next": following.format(prefix=prefix())})

    assert (browser.status, browser.location) == (303, prefix())


@pytest.mark.usefixtures("optional")
def test_the_console_leads_to_the_sign_in_and_back(olivia: Person) -> None:
    browser = Browser()
    asked = f"{prefix()}users?q=bob%40example.com&limit=5"

    browser.open(asked)
    assert browser.location == f"{reverse('authsvc-sign-in')}?next={quote(asked, safe='')}"
    browser.follow().sign_in(olivia, next=browser.field("next")).follow()

    assert (browser.status, browser.page.request["PATH_INFO"]) == (200, f"{prefix()}users")
    assert olivia.email in browser.text


@pytest.mark.usefixtures("optional")
def test_the_cookie_does_not_count_for_json(browser: Browser, olivia: Person) -> None:
    answers = [
        browser._send("GET", "/v1/admin/overview", headers={"Accept": "application/json"}),
        browser._send("GET", "/v1/admin/overview"),
        browser._send("GET", "/v1/sessions"),
    ]

    assert {answer.status for answer in answers} == {401}


@pytest.mark.usefixtures("optional")
def test_no_answer_of_the_api_sets_a_cookie(browser: Browser, olivia: Person) -> None:
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
    assert path_of(Browser().open("nonsense/\n").location) == reverse("authsvc-sign-in")

    browser.open("nonsense")

    assert browser.status == 404
    assert "There is no such page" in browser.text


@pytest.mark.parametrize("path", ["{prefix}", "{prefix}/sign-in?next=x"])
def test_the_address_without_the_slash_and_the_old_sign_in_lead_to_the_first_page(db: None, path: str) -> None:
    browser = Browser().open(path.format(prefix=prefix().rstrip("/")))

    assert (browser.status, browser.location) == (302, prefix())


@pytest.mark.usefixtures("optional")
def test_every_page_has_a_strict_policy_with_a_new_nonce(browser: Browser) -> None:
    policies = [browser.open("diagnose").page.headers["Content-Security-Policy"] for _ in range(2)]

    assert policies[0] != policies[1]
    assert "default-src 'none'; script-src 'nonce-" in policies[0]
    assert "unsafe" not in policies[0]
    assert "frame-ancestors 'none'" in policies[0]


@pytest.mark.parametrize("name", ["console.css", "console.js", "htmx.min.js"])
def test_a_browser_may_keep_each_version_of_a_file(db: None, name: str) -> None:
    browser = Browser()
    from console.browser.asset_files import asset_url  # noqa: PLC0415 - an embedded deployment has no such address

    kept = browser.open(asset_url(name)).page
    other = browser.open(reverse("authsvc-console-asset", args=[name]) + "?v=old").page

    assert kept.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert other.headers["Cache-Control"] == "no-store"
    assert browser.open("assets/nonsense.js").status == 404
