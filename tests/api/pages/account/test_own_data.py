"""The file with the person's own data, the deletion of the account, and the language."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.urls import reverse

from accounts.acts import data_export
from accounts.models import Account
from accounts.state import personal_tables
from events.models import Event
from tests.client import Api
from tests.mails import delivered, text_of
from tests.pages import path_of, signed_in
from tests.people import Person, existing_session
from tests.second_factors import enroll_totp

from .sessions import old_session
from .test_password import drop_password

DATA, FILE, DELETE, LANGUAGE = (f"authsvc-account-{name}" for name in ("data", "data-download", "delete", "language"))


@pytest.mark.parametrize("rows", [1_000, 3])
def test_the_file_has_the_data_of_the_export(alice: Person, monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    session = existing_session(alice)
    browser = signed_in(alice).open(DATA)
    monkeypatch.setattr(data_export, "PAGE_ROWS", rows)

    browser.submit(FILE)
    content = json.loads(b"".join(browser.page.streaming_content))

    monkeypatch.setattr(data_export, "PAGE_ROWS", 1_000)
    expected = session.api.get("/v1/account/export", token=session.access).data
    assert browser.page.headers["Content-Disposition"].startswith('attachment; filename="account-20')
    assert browser.page.headers["Cache-Control"] == "no-store"
    assert [table["name"] for table in content["tables"]] == [table["name"] for table in expected["tables"]]
    volatile = {"events", "sessions", "browser_sessions"}
    assert {table["name"]: table["rows"] for table in content["tables"] if table["name"] not in volatile} == {
        table["name"]: table["rows"] for table in expected["tables"] if table["name"] not in volatile
    }
    assert content["email"] == alice.email
    assert Event.objects.filter(type="data_exported").count() == 2


def test_a_session_that_ends_during_the_download_does_not_cut_the_file(
    alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = existing_session(alice)
    browser = signed_in(alice).open(DATA)
    monkeypatch.setattr(data_export, "PAGE_ROWS", 1)
    browser.submit(FILE)
    stream = iter(browser.page.streaming_content)
    beginning = next(stream)

    session.api.post("/v1/logout-all", token=session.access)
    content = json.loads(b"".join([beginning, *stream]))

    assert browser.open(DATA).status == 303
    assert [table["name"] for table in content["tables"]] == [table.name for table in personal_tables.personal_tables]
    assert len(next(table["rows"] for table in content["tables"] if table["name"] == "sessions")) > 1


def test_the_file_needs_a_recent_login_and_counts_as_the_export(alice: Person, configure: Callable[..., None]) -> None:
    assert path_of(old_session(alice).open(DATA).location) == reverse("authsvc-confirm")
    configure(RATE_LIMITS="export=1/h")
    session = existing_session(alice)
    session.api.get("/v1/account/export", token=session.access)

    assert signed_in(alice).open(DATA).submit(FILE).status == 429


def test_a_deletion_names_the_losses_and_ends_signed_out(alice: Person) -> None:
    session = existing_session(alice)
    session.api.post("/v1/api-keys", {"name": "Key"}, token=session.access)
    enroll_totp(session)
    browser = signed_in(alice).open(DELETE)
    assert "2 devices and applications are signed out." in browser.text
    assert "1 API key stops working." in browser.text
    assert "Two-step verification ends: authenticator app." in browser.text

    browser.submit(DELETE, name=" Alice@Example.com ", current_password=alice.password)

    assert (browser.status, browser.cookie) == (200, "")
    assert "Your account is deleted" in browser.text
    assert alice.email in browser.text
    assert not Account.objects.exists()
    assert "deleted" in text_of(delivered(alice.email)[-1])
    assert Api().post("/v1/login", {"email": alice.email, "password": alice.password}).status == 401


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"name": "bob@example.com"}, "name"),
        ({"name": ""}, "name"),
        ({"current_password": "wrong"}, "current_password"),
        ({"current_password": ""}, "current_password"),
    ],
)
def test_a_deletion_needs_the_name_and_the_password(alice: Person, typed: dict[str, str], field: str) -> None:
    browser = signed_in(alice).open(DELETE)

    browser.submit(DELETE, **{"name": alice.email, "current_password": alice.password, **typed})

    assert browser.status in (400, 401)
    assert f'id="{field}-error">' in browser.text
    assert alice.password not in browser.text
    assert Account.objects.exists()


def test_without_a_password_a_recent_login_deletes(alice: Person) -> None:
    drop_password(alice)
    stale = old_session(alice, age=timedelta(minutes=6)).open(DELETE)
    assert path_of(stale.location) == reverse("authsvc-confirm")

    signed_in(alice).open(DELETE).submit(DELETE, name=alice.email)

    assert not Account.objects.exists()


def test_the_language_is_that_of_pages_and_mails(alice: Person) -> None:
    browser = signed_in(alice).open(LANGUAGE)

    browser.submit(LANGUAGE, language="de", zone="Asia/Tokyo")

    assert alice.account().metadata == {"locale": "de"}
    assert browser.follow().page.headers["Content-Language"] == "de"
    browser.open("authsvc-account-activity")
    assert "Asia/Tokyo" in browser.text
    fresh = signed_in(alice).open(LANGUAGE)
    assert fresh.page.headers["Content-Language"] == "de"


@pytest.mark.parametrize("form", [{"language": "xx"}, {"zone": "Mars/Base"}, {"language": ""}, {"zone": "\x00"}])
def test_an_unknown_language_or_zone_is_refused(alice: Person, form: dict[str, str]) -> None:
    browser = signed_in(alice).open(LANGUAGE)

    browser.submit(LANGUAGE, **{"language": "fr", "zone": "UTC", **form})

    assert browser.status == 422
    assert alice.account().metadata == {}
