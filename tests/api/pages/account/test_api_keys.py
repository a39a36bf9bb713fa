"""The API keys: creation, list, revocation."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.urls import reverse

from apikeys.models import ApiKey
from tests.client import Api
from tests.pages import path_of, signed_in
from tests.people import Person, existing_session

from .sessions import confirm, notice, old_session

ROOM, NEW = "authsvc-account-api-keys", "authsvc-account-api-key-new"


def test_a_key_is_shown_once_and_works(alice: Person) -> None:
    browser = signed_in(alice).open(NEW)
    assert browser.field("days") == "90"

    browser.submit(NEW, name="Report <1>", scopes="reports:read  reports:write", days="30")

    key = browser.text.partition('<pre id="secret" tabindex="0">')[2].partition("</pre>")[0]
    assert Api().get("/v1/verify", headers={"X-API-Key": key}).data["user_id"] == alice.user_id
    row = ApiKey.objects.get()
    assert (row.name, row.scopes) == ("Report <1>", ["reports:read", "reports:write"])
    assert row.expires_at is not None
    assert row.expires_at - row.created_at == timedelta(days=30)
    browser.open(ROOM)
    assert key not in browser.text
    assert "Report &lt;1&gt;" in browser.text
    assert row.prefix in browser.text


def test_an_empty_number_of_days_makes_a_key_that_never_expires(alice: Person) -> None:
    browser = signed_in(alice).open(NEW).submit(NEW, name="Key", days="")

    assert "Never expires." in browser.text
    assert ApiKey.objects.get().expires_at is None


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("name", ""),
        ("name", "x" * 101),
        ("scopes", "x" * 101),
        ("scopes", " ".join(map(str, range(51)))),
        ("scopes", "a\x07b"),
        ("days", "0"),
        ("days", "3651"),
        ("days", "-1"),
        ("days", "²"),
        ("days", "9" * 400),
    ],
)
def test_a_wrong_field_changes_nothing_and_the_form_keeps_what_was_typed(alice: Person, field: str, typed: str) -> None:
    browser = signed_in(alice).open(NEW)

    browser.submit(NEW, **{"name": "Key", "scopes": "a b", "days": "7", field: typed})

    assert browser.status == 422
    assert f'id="{field}-error">' in browser.text
    assert browser.field("days") == {"days": "7", field: typed}["days"]
    assert not ApiKey.objects.exists()


def test_what_was_typed_waits_for_the_confirmation(alice: Person) -> None:
    browser = old_session(alice)
    form = {
        "csrf_token": browser.open("authsvc-account").field("csrf_token"),
        "name": "Key",
        "scopes": "a b",
        "days": "7",
    }
    browser.url = reverse(NEW)

    browser.send(NEW, form)
    confirm(browser, alice)

    assert [browser.field(name) for name in ("name", "scopes", "days")] == ["Key", "a b", "7"]


def test_a_key_is_revoked_after_a_recent_login(alice: Person) -> None:
    session = existing_session(alice)
    made = session.api.post("/v1/api-keys", {"name": "Key"}, token=session.access).data["api_key"]["id"]
    revoke = "authsvc-account-api-key-revoke"
    stale = old_session(alice).open(ROOM).submit(revoke, made)
    assert path_of(stale.location) == reverse("authsvc-confirm")
    confirm(stale, alice)
    assert path_of(stale.url) == reverse(ROOM)

    stale.submit(revoke, made)

    assert notice(stale) == "The key is revoked. It no longer works."
    assert "You have no API keys." in stale.text
    assert ApiKey.objects.get().revoked_at is not None


def test_the_key_of_another_person_is_not_found(alice: Person, bob: Person) -> None:
    session = existing_session(bob)
    foreign = session.api.post("/v1/api-keys", {"name": "Key"}, token=session.access).data["api_key"]["id"]
    browser = signed_in(alice).open("authsvc-account")

    path = reverse("authsvc-account-api-key-revoke", args=[foreign])
    browser.send(path, {"csrf_token": browser.field("csrf_token")})

    assert (browser.status, ApiKey.objects.get().revoked_at) == (404, None)


def test_keys_that_are_off_have_no_page(alice: Person, configure: Callable[..., None]) -> None:
    configure(API_KEYS_ENABLED="off")
    browser = signed_in(alice).open("authsvc-account")

    assert "API keys" not in browser.text
    assert browser.open(ROOM).status == 404


def test_new_keys_count_against_the_limit_of_the_api(alice: Person, configure: Callable[..., None]) -> None:
    configure(RATE_LIMITS="api_keys=1/h")
    session = existing_session(alice)
    session.api.post("/v1/api-keys", {"name": "Key"}, token=session.access)

    assert signed_in(alice).open(NEW).submit(NEW, name="Key").status == 429
