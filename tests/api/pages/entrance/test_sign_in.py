"""The sign-in by password and by passkey, the second step, the sign-out, and the session that a sign-in opens."""

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from orjson import dumps
from pytest_django import DjangoAssertNumQueries

from accounts.models import Event
from core.keys.opaque import find_digest
from pages.models import BrowserSession
from sessions_app.models import Family
from tests import passkeys
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Api
from tests.pages import HOST, Browser, path_of, signed_in
from tests.people import Person, existing_session
from tests.second_factors import enroll_totp, generate_codes, lock

Configure = Callable[..., None]

UNKNOWN = "nobody@example.com"


def without_nonce(text: str) -> str:
    """Return the HTML without the values that differ at each answer."""
    return re.sub(r'nonce="[^"]+"', "", text)


def test_a_person_signs_in_with_address_and_password(browser: Browser, alice: Person) -> None:
    browser.open("authsvc-account")
    assert (browser.status, path_of(browser.location)) == (303, reverse("authsvc-sign-in"))
    browser.follow()
    assert browser.form("authsvc-sign-in").controls["email"]["autocomplete"] == "username webauthn"

    browser.submit("authsvc-sign-in", email=alice.email)
    controls = browser.form("authsvc-sign-in").controls
    assert (controls["email"]["autocomplete"], controls["email"]["value"]) == ("username", alice.email)
    assert controls["password"]["autocomplete"] == "current-password"
    browser.submit("authsvc-sign-in", password=alice.password).follow()

    assert (browser.status, browser.url) == (200, reverse("authsvc-account"))
    assert alice.email in browser.text
    assert browser.page.headers["Cache-Control"] == "no-store"


def test_the_cookie_is_an_opaque_handle_to_a_session_of_the_list(browser: Browser, alice: Person) -> None:
    browser.sign_in(alice)

    cookie = browser.client.cookies["gatehouse"]
    row = BrowserSession.objects.get(digest=find_digest(cookie.value))
    session = existing_session(alice)
    listed = alice.api.get("/v1/sessions", token=session.access).data
    (own,) = [entry for entry in listed if not entry["current"]]

    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["domain"]) == (True, "Lax", "/", "")
    assert str(row.family.account_id) == alice.user_id
    alice.api.delete(f"/v1/sessions/{own['id']}", token=session.access)
    assert not browser.is_signed_in()


def test_on_https_the_cookie_has_the_host_prefix(browser: Browser, alice: Person, configure: Configure) -> None:
    configure(BASE_URL="https://auth.example.com")
    form = {"email": alice.email, "password": PASSWORD}

    browser.send("authsvc-sign-in", form, headers={"Origin": "https://auth.example.com"})

    cookie = browser.client.cookies["__Host-gatehouse"]
    assert (cookie["secure"], cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, True, "Lax", "/")


def test_each_sign_in_gets_a_new_handle_and_ends_the_session_before(browser: Browser, alice: Person) -> None:
    browser.sign_in(alice)
    first = browser.cookie
    chosen = Browser()
    chosen.client.cookies["gatehouse"] = first

    browser.open("authsvc-sign-in", again="1")
    browser.submit("authsvc-sign-in", password=alice.password)

    assert browser.cookie not in {"", first}
    assert browser.is_signed_in()
    assert not chosen.is_signed_in()
    assert Family.objects.filter(account=alice.account(), revoked_at=None).count() == 1


def test_a_handle_that_an_attacker_chose_is_never_used(browser: Browser, alice: Person) -> None:
    browser.client.cookies["gatehouse"] = "A" * 43

    browser.sign_in(alice)

    assert browser.cookie != "A" * 43


def test_a_signed_in_person_continues_at_once(alice: Person) -> None:
    browser = signed_in(alice)
    page = reverse("authsvc-confirm")

    assert browser.open("authsvc-sign-in", next=page).location == page
    assert browser.open("authsvc-sign-in").location == reverse("authsvc-account")


@pytest.mark.parametrize(
    "hostile",
    [
        "https://eve.example",
        "//eve.example",
        "/\\eve.example",
        "/a//eve.example",
        "/../eve",
        "javascript:alert(1)",
        "/\teve.example",
        "/a\r\nSet-Cookie: a=b",
        "eve",
        "/" + "a" * 2_001,
    ],
)
def test_a_sign_in_leads_only_to_pages_of_this_site(browser: Browser, alice: Person, hostile: str) -> None:
    browser.open("authsvc-sign-in", next=hostile)
    browser.submit("authsvc-sign-in", email=alice.email)

    browser.send("authsvc-sign-in", {"email": alice.email, "password": PASSWORD, "next": hostile}).follow()

    assert (browser.status, browser.url) == (200, reverse("authsvc-account"))


def test_a_code_of_the_authenticator_app_completes_the_sign_in(browser: Browser, alice: Person) -> None:
    app = enroll_totp(existing_session(alice))
    page = reverse("authsvc-sign-out")
    browser.sign_in(alice, following=page)
    assert (browser.status, browser.cookie) == (200, "")
    assert browser.form("authsvc-sign-in-factor", "totp").controls["code"]["autocomplete"] == "one-time-code"

    browser.submit("authsvc-sign-in-factor", "totp", code=app.wrong_code())
    assert (browser.status, browser.cookie) == (401, "")
    assert "The code is" in browser.text
    browser.submit("authsvc-sign-in-factor", "totp", code=app.code(steps=1)).follow()

    assert (browser.status, browser.url) == (200, page)


def test_a_recovery_code_completes_the_sign_in_once(browser: Browser, alice: Person) -> None:
    session = existing_session(alice)
    enroll_totp(session)
    code, *_ = generate_codes(session)

    browser.sign_in(alice).submit("authsvc-sign-in-factor", "recovery_code", recovery_code=code)
    again = Browser().sign_in(alice).submit("authsvc-sign-in-factor", "recovery_code", recovery_code=code)

    assert browser.is_signed_in()
    assert (again.status, again.cookie) == (401, "")


def test_a_passkey_completes_the_sign_in(browser: Browser, alice: Person) -> None:
    authenticator = Authenticator()
    passkeys.enroll(alice, authenticator)
    browser.sign_in(alice)
    fields = browser.form("authsvc-sign-in-factor", "passkey").fields

    begun = Browser().send("authsvc-sign-in-factor-begin", fields).page.json()["data"]
    credential = dumps(authenticator.get(begun["public_key"])).decode()
    browser.submit("authsvc-sign-in-factor", "passkey", ceremony_token=begun["ceremony_token"], credential=credential)

    assert browser.is_signed_in()


def test_a_passkey_of_an_unconfirmed_address_leads_to_the_mailed_link(
    browser: Browser, alice: Person, configure: Configure
) -> None:
    authenticator = Authenticator()
    passkeys.enroll(alice, authenticator)
    configure(EMAIL_VERIFICATION="required")
    begun = Browser().send("authsvc-sign-in-passkey-begin").page.json()["data"]
    credential = dumps(authenticator.get(begun["public_key"])).decode()

    browser.open("authsvc-sign-in")
    browser.submit("authsvc-sign-in-passkey", ceremony_token=begun["ceremony_token"], credential=credential)

    assert (browser.status, browser.cookie) == (403, "")
    assert "We have mailed a link to it." in browser.text
    assert not browser.shows_form("authsvc-confirm-first")


def test_a_passkey_alone_signs_in_once(browser: Browser, alice: Person) -> None:
    authenticator = Authenticator()
    passkeys.enroll(alice, authenticator)
    browser.open("authsvc-sign-in")
    begun = Browser().send("authsvc-sign-in-passkey-begin").page.json()["data"]
    credential = dumps(authenticator.get(begun["public_key"])).decode()
    form = {"ceremony_token": begun["ceremony_token"], "credential": credential}

    browser.submit("authsvc-sign-in-passkey", **form)
    again = Browser().send("authsvc-sign-in-passkey", form)

    assert browser.is_signed_in()
    assert (again.status, again.cookie) == (400, "")
    assert again.shows_form("authsvc-sign-in")


def test_an_unknown_factor_has_no_page(browser: Browser, db: None) -> None:
    path = reverse("authsvc-sign-in-factor", args=["nonsense"])

    assert browser.send(path, {}).status == 404


def test_five_wrong_codes_end_the_sign_in(browser: Browser, alice: Person) -> None:
    app = enroll_totp(existing_session(alice))
    browser.sign_in(alice)

    for _ in range(5):
        browser.submit("authsvc-sign-in-factor", "totp", code=app.wrong_code())
    browser.submit("authsvc-sign-in-factor", "totp", code=app.code(steps=1))

    assert browser.status == 401
    assert "This login has expired or is not valid any more." in browser.text
    assert browser.form("authsvc-sign-in").fields["email"] == ""


@pytest.mark.parametrize("password", ["wrong", "x" * 5000])
def test_a_wrong_password_keeps_the_address_and_shows_no_secret(browser: Browser, alice: Person, password: str) -> None:
    browser.open("authsvc-sign-in").submit("authsvc-sign-in", email=alice.email)

    browser.submit("authsvc-sign-in", password=password)

    assert (browser.status, browser.cookie) == (401, "")
    assert "The e-mail address or the password is not correct." in browser.text
    assert browser.field("email") == alice.email
    assert f'value="{password}' not in browser.text


def test_pages_for_known_and_unknown_addresses_are_the_same(browser: Browser, alice: Person) -> None:
    def shown(email: str, password: str) -> list[tuple[int, str]]:
        page = Browser().open("authsvc-sign-in").submit("authsvc-sign-in", email=email)
        found = [(page.status, without_nonce(page.text).replace(email, "ADDRESS"))]
        page.submit("authsvc-sign-in", password=password)
        return [*found, (page.status, without_nonce(page.text).replace(email, "ADDRESS"))]

    assert shown(alice.email, "wrong") == shown(UNKNOWN, "wrong")


def test_the_page_of_the_ways_asks_the_database_nothing(
    browser: Browser, alice: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    browser.open("authsvc-sign-in")

    with django_assert_num_queries(0):
        browser.submit("authsvc-sign-in", email=alice.email)


def test_the_lock_of_the_account_applies(browser: Browser, alice: Person) -> None:
    lock(alice)

    browser.sign_in(alice)

    assert (browser.status, browser.cookie) == (403, "")
    assert "Too many wrong tries locked this account for a while." in browser.text


def test_the_pages_share_the_limits_of_the_api(browser: Browser, alice: Person, configure: Configure) -> None:
    configure(RATE_LIMITS="login=1/h,login_ip=off,edge=off")
    browser.ip = "203.0.113.71"
    api = Api(ip=browser.ip)
    assert api.post("/v1/login", {"email": alice.email, "password": "wrong"}).status == 401

    browser.sign_in(alice)

    assert (browser.status, browser.cookie) == (429, "")
    assert 0 < int(browser.page.headers["Retry-After"]) <= 3600
    assert re.search(r"Too many tries\. Try again in [0-9]+ (minute|second)s?\.", browser.text)


def test_the_limits_of_completions_apply(browser: Browser, alice: Person, configure: Configure) -> None:
    app = enroll_totp(existing_session(alice))
    configure(RATE_LIMITS="completion=1/h,edge=off,login=off,login_ip=off")
    browser.sign_in(alice)

    browser.submit("authsvc-sign-in-factor", "totp", code=app.wrong_code())
    browser.submit("authsvc-sign-in-factor", "totp", code=app.code(steps=1))

    assert (browser.status, browser.cookie) == (429, "")
    assert browser.shows_form("authsvc-sign-in-factor", "totp")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://eve.example"},
        {"Origin": "null"},
        {"Origin": f"http://eve.{HOST}"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": ""},
    ],
)
def test_a_form_of_another_site_signs_in_nobody(browser: Browser, alice: Person, headers: dict[str, str]) -> None:
    browser.send("authsvc-sign-in", {"email": alice.email, "password": PASSWORD}, headers=headers)

    assert (browser.status, browser.cookie) == (403, "")
    assert "The form came from another site." in browser.text
    assert not Family.objects.filter(account=alice.account()).exists()


def test_a_browser_without_cookies_learns_why_it_is_not_signed_in(alice: Person) -> None:
    browser = Browser(keeps_cookies=False)

    browser.sign_in(alice).follow()

    assert browser.status == 200
    assert "Your browser did not keep the cookie" in browser.text


def test_a_sign_out_ends_the_session_and_deletes_the_cookie(alice: Person) -> None:
    browser = signed_in(alice)
    handle = browser.cookie
    browser.open("authsvc-sign-out")

    browser.submit("authsvc-sign-out").follow()

    assert "You are signed out." in browser.text
    assert browser.cookie == ""
    browser.client.cookies["gatehouse"] = handle
    assert not browser.is_signed_in()
    assert Event.objects.filter(user_id=alice.user_id, type="logout").count() == 1


def test_a_form_of_an_earlier_session_changes_nothing(alice: Person) -> None:
    browser = signed_in(alice)
    browser.open("authsvc-sign-out")

    browser.submit("authsvc-sign-out", csrf_token="x" * 64)

    assert browser.status == 403
    assert "The form is of an earlier session." in browser.text
    assert f'href="{reverse("authsvc-sign-out")}"' in browser.text
    assert browser.is_signed_in()


def test_a_page_costs_one_query_for_its_session(
    alice: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    browser = signed_in(alice)

    with django_assert_num_queries(1):
        assert browser.open("authsvc-sign-out").status == 200


def test_a_typed_address_appears_escaped(browser: Browser, db: None) -> None:
    typed = '"><script>alert(1)</script>'

    browser.open("authsvc-sign-in").submit("authsvc-sign-in", email=typed)

    assert "<script>alert" not in browser.text
    assert browser.field("email") == typed


def test_each_page_has_a_strict_policy(browser: Browser, db: None) -> None:
    headers = browser.open("authsvc-sign-in").page.headers

    assert "default-src 'none'; script-src 'nonce-" in headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "publickey-credentials-get=(self)" in headers["Permissions-Policy"]
    assert (headers["Cache-Control"], headers["Referrer-Policy"]) == ("no-store", "same-origin")
