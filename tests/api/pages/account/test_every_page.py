"""The rules for every page of the account: the session, the CSRF token, foreign and hostile ids, and the API's operations."""

from collections.abc import Callable, Mapping

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from core.http.view import Auth
from oidc.urls import room_patterns
from pages.account.urls import urlpatterns
from tests.contract.mounted import mounted_operations
from tests.pages import Browser, path_of, see_offer, signed_in
from tests.people import Person, existing_session
from tests.second_factors import begin_totp

from .sessions import old_session

CREDENTIAL_ID = "AAAA"

ARGUMENTS: Mapping[str, str] = {
    "factor": "totp",
    "provider": "nowhere",
    "credential_id": CREDENTIAL_ID,
    "session_id": "11111111-1111-7111-8111-111111111111",
    "identity_id": "22222222-2222-7222-8222-222222222222",
    "key_id": "33333333-3333-7333-8333-333333333333",
    "client_id": "44444444-4444-7444-8444-444444444444",
}

ROUTES = (*urlpatterns, *room_patterns)


def pages(method: str) -> list[str]:
    """Return the paths of the pages with this method. A path with an id has one that nobody has."""
    found = []
    for entry in ROUTES:
        if method in entry.callback.cls.operations:
            names = entry.pattern.converters
            found.append(reverse(str(entry.name), kwargs={name: ARGUMENTS[name] for name in names}))
    return found


OPENED = pages("GET")
SENT = [path for path in pages("POST") if path != reverse("authsvc-account-ask")]
"""The forms of a deployment without ask-AI. `test_ask.py` tests the other one."""
WITH_IDS = [
    path
    for path in SENT
    if any(f"/{value}/" in f"{path}/" for value in ARGUMENTS.values() if value not in ("totp", "nowhere"))
]
STATEMENTS_MAX = 12
HOSTILE = ("x", "%00", "..%2F..", "a" * 3000, "%F0%9F%92%A9", "' OR 1=1 --")

PAGES_OF_OPERATIONS: Mapping[str, str] = {
    "GET /v1/me": "authsvc-account",
    "GET /v1/session": "authsvc-account-devices",
    "GET /v1/sessions": "authsvc-account-devices",
    "DELETE /v1/sessions/{}": "authsvc-account-device-end",
    "POST /v1/logout": "authsvc-sign-out",
    "POST /v1/logout-all": "authsvc-account-sign-out-everywhere",
    "GET /v1/applications": "authsvc-account-applications",
    "DELETE /v1/applications/{}": "authsvc-account-application-end",
    "POST /v1/reauthenticate": "authsvc-confirm-password",
    "POST /v1/reauthenticate/passkey/begin": "authsvc-confirm-passkey-begin",
    "POST /v1/change-password": "authsvc-account-password",
    "POST /v1/delete-account": "authsvc-account-delete",
    "GET /v1/account/export": "authsvc-account-data-download",
    "POST /v1/email/request-change": "authsvc-account-address-new",
    "POST /v1/email/verify/request": "authsvc-account-address-verify",
    "POST /v1/totp/enroll": "authsvc-account-app",
    "GET /v1/totp/qr.svg": "authsvc-account-app-scan",
    "POST /v1/totp/confirm": "authsvc-account-app-scan",
    "POST /v1/totp/disable": "authsvc-account-app-remove",
    "GET /v1/passkeys": "authsvc-account-passkeys",
    "GET /v1/passkeys/signal": "authsvc-account-passkeys",
    "POST /v1/passkeys/register/begin": "authsvc-account-passkey-begin",
    "POST /v1/passkeys/register/finish": "authsvc-account-passkey-new",
    "DELETE /v1/passkeys/{}": "authsvc-account-passkey-remove",
    "POST /v1/recovery-codes/generate": "authsvc-account-recovery-codes",
    "GET /v1/identities": "authsvc-account-connected",
    "DELETE /v1/identities/{}": "authsvc-account-disconnect",
    "POST /v1/api-keys": "authsvc-account-api-key-new",
    "GET /v1/api-keys": "authsvc-account-api-keys",
    "DELETE /v1/api-keys/{}": "authsvc-account-api-key-revoke",
    "POST /v1/ask-ai": "authsvc-account-ask",
    "GET /v1/ask-ai/widget": "authsvc-account-ask",
}
"""The page on which a person does what the operation does."""

NO_PAGES = {"GET /v1/verify": "A program verifies a token."}
"""The operations of a signed-in caller that a person does not need, with the reason."""


def test_each_operation_of_a_signed_in_caller_has_a_page() -> None:
    operations = {
        name
        for name, view in mounted_operations().items()
        if name.split()[1].startswith("/v1/") and view.auth is Auth.USER
    }

    assert {*PAGES_OF_OPERATIONS, *NO_PAGES} == operations
    routes = {entry.name for entry in ROUTES} | {
        "authsvc-sign-out",
        "authsvc-confirm-password",
        "authsvc-confirm-passkey-begin",
    }
    assert {*PAGES_OF_OPERATIONS.values()} <= routes


@pytest.mark.parametrize("path", OPENED)
def test_a_page_leads_to_the_sign_in_without_a_session(browser: Browser, path: str) -> None:
    browser.open(path)

    assert (browser.status, path_of(browser.location)) == (303, reverse("authsvc-sign-in"))


@pytest.mark.django_db
def test_the_sign_in_leads_back_to_the_page(alice: Person) -> None:
    see_offer(alice)
    browser = Browser().open("authsvc-account-devices").follow()

    browser.submit("authsvc-sign-in", email=alice.email)
    browser.submit("authsvc-sign-in", password=alice.password).follow()

    assert "This one" in browser.text


@pytest.mark.parametrize("path", SENT)
def test_a_form_counts_only_with_the_token_of_the_session(alice: Person, path: str) -> None:
    browser = signed_in(alice)

    refused = [
        browser.send(path).status,
        browser.send(path, {"csrf_token": "0" * 64}).status,
        browser.send(
            path,
            {"csrf_token": browser.open("authsvc-account").field("csrf_token")},
            headers={"Origin": "https://evil.example"},
        ).status,
    ]

    assert {*refused} <= ({400, 403} if path.endswith("/begin") else {403})
    assert browser.is_signed_in()


@pytest.mark.parametrize("path", SENT)
def test_a_form_of_a_session_that_has_ended_leads_to_the_sign_in(alice: Person, path: str) -> None:
    browser = signed_in(alice)
    token = browser.open("authsvc-account").field("csrf_token")
    existing_session(alice).api.post("/v1/logout-all", token=existing_session(alice).access)

    browser.send(path, {"csrf_token": token})

    assert (browser.status, path_of(browser.location)) == (303, reverse("authsvc-sign-in"))


@pytest.mark.parametrize("path", WITH_IDS)
def test_an_id_that_nobody_has_is_not_found(alice: Person, configure: Callable[..., None], path: str) -> None:
    configure(RATE_LIMITS="password=off,mailbox=off")
    browser = signed_in(alice)
    token = browser.open("authsvc-account").field("csrf_token")
    form = {"csrf_token": token, "password": alice.password, "nickname": "x"}
    known = next(value for value in ARGUMENTS.values() if f"/{value}/" in f"{path}/")

    answers = {text: browser.send(path.replace(known, text), form).status for text in (known, *HOSTILE)}

    assert {*answers.values()} == {404}, answers


@pytest.mark.parametrize("path", OPENED)
def test_each_page_has_one_heading_forbids_frames_and_runs_few_statements(alice: Person, path: str) -> None:
    begin_totp(existing_session(alice))
    browser = signed_in(alice)

    with CaptureQueriesContext(connection) as statements:
        browser.open(path)

    assert len(statements) <= STATEMENTS_MAX, [one["sql"][:80] for one in statements]

    if browser.status == 303:
        browser.follow()
    assert browser.status in (200, 404)
    assert browser.text.count("<h1") == 1
    assert "frame-ancestors 'none'" in browser.page.headers["Content-Security-Policy"]
    assert browser.page.headers["Cache-Control"] == "no-store"
    assert len(browser.page.content) < 30_000


def test_a_form_that_needs_a_recent_login_asks_for_it_when_it_opens(alice: Person) -> None:
    browser = old_session(alice)

    for name in ("address-new", "app", "passkey-new", "api-key-new", "data", "delete"):
        browser.open(f"authsvc-account-{name}")
        assert path_of(browser.location) == reverse("authsvc-confirm"), name
