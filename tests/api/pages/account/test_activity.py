"""The person's own activity in plain words."""

import pytest
from django.urls import reverse

from core.clock import now
from core.db.transactions import write
from core.http.client import Client
from events.audit import record
from events.vocabulary import ACCOUNT_EVENTS, EventType
from pages.account.activity import events as activity
from pages.account.activity.sentences import sentence
from tests.pages import signed_in
from tests.people import Person, existing_session

CHROME = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36"
HERE = Client(ip="198.51.100.9", user_agent=CHROME)


@write
def happen(person: Person, *events: EventType, **metadata: object) -> None:
    """Record these events of the person."""
    for event in events:
        record(event=event, user_id=person.user_id, client=HERE, now=now(), metadata=metadata)


@pytest.mark.once
def test_each_event_of_an_account_has_a_sentence() -> None:
    metadata = {"cause": "max_sessions", "provider": "google", "prefix": "ak_12345678"}

    texts = {event: sentence(event, metadata) for event in ACCOUNT_EVENTS}

    assert [event for event, text in texts.items() if not text.endswith(".") or "%" in text] == []


def test_events_are_shown_with_device_and_place_and_without_refreshes(alice: Person) -> None:
    happen(alice, EventType.OAUTH_LINKED, provider="google")
    happen(alice, EventType.LOGIN_FAILED)
    session = existing_session(alice).refreshed()
    browser = signed_in(alice).open("authsvc-account-activity")

    assert session.is_live()
    assert "Google was connected." in browser.text
    assert browser.text.index("Sign-in with the password.") < browser.text.index("Google was connected.")
    assert "Chrome on macOS" in browser.text
    assert "198.51.100.9" in browser.text
    assert "refreshed" not in browser.text
    assert browser.text.count("Was this you?") == 1
    assert f'href="{reverse("authsvc-account-password")}"' in browser.text
    assert "in the last 400 days" in browser.text


def test_the_events_of_other_people_and_of_operators_are_left_out(alice: Person, bob: Person) -> None:
    happen(bob, EventType.TOTP_ENABLED)
    happen(alice, EventType.OPERATOR_ACTED, EventType.SESSION_ENDED, cause="logout")

    browser = signed_in(alice).open("authsvc-account-activity")

    assert "authenticator app" not in browser.text.partition("<main")[2].partition("Was something not you?")[0]
    assert browser.text.count("<time") == 2


def test_a_page_is_bounded_and_leads_to_older_events(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    happen(alice, *[EventType.TOKEN_ROTATED] * 30)
    happen(alice, *[EventType.LOGOUT] * 30)
    browser = signed_in(alice)
    monkeypatch.setattr(activity, "SCANNED_MAX", 30)

    counts, names = [], []
    browser.open("authsvc-account-activity")
    for _ in range(3):
        counts.append(browser.text.count("<time"))
        names.append("Older" in browser.text)
        position = browser.text.partition("?before=")[2].partition('"')[0]
        browser.open("authsvc-account-activity", before=position)

    assert counts == [25, 6, 1]
    assert names == [True, True, False]


@pytest.mark.parametrize("position", ["x", "0" * 36, "' OR 1=1", "\x00", "a" * 9000])
def test_a_hostile_position_is_refused(alice: Person, position: str) -> None:
    assert signed_in(alice).open("authsvc-account-activity", before=position).status in (400, 404)


def test_times_and_words_are_those_of_the_reader(alice: Person) -> None:
    browser = signed_in(alice)
    browser.client.cookies["gatehouse-device-zone"] = "Europe/Paris"
    assert "Europe/Paris" in browser.open("authsvc-account-activity").text
    browser.client.cookies["gatehouse-zone"] = "Asia/Tokyo"
    browser.client.cookies["gatehouse-language"] = "de"

    browser.open("authsvc-account-activity")

    assert "Asia/Tokyo" in browser.text
    assert "+09:00" in browser.text
    assert browser.page.headers["Content-Language"] == "de"


@pytest.mark.parametrize("name", ["Mars/Base", "../../etc/passwd", "<script>", ""])
def test_a_device_with_an_unknown_zone_gets_utc(alice: Person, name: str) -> None:
    browser = signed_in(alice)
    browser.client.cookies["gatehouse-device-zone"] = name

    browser.open("authsvc-account-activity")

    assert browser.status == 200
    assert "in the zone UTC." in browser.text
