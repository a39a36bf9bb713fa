"""The list of devices, and the end of their sessions."""

import time_machine
from django.urls import reverse

from events.models import Event
from pages.frame import sessions
from tests.client import Api
from tests.pages import Browser, signed_in
from tests.people import Person, existing_session

from .sessions import notice

CHROME = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36"


def types(person: Person) -> list[str]:
    """Return the types of the person's events that tests of this file compare, the oldest first."""
    rows = Event.objects.filter(user_id=person.user_id).exclude(type__in=["login_success", "signup_success"])
    return [*rows.order_by("id").values_list("type", flat=True)]


def other_session(person: Person) -> str:
    """Return the id of a session of an application, with Chrome on macOS."""
    api = Api(user_agent=CHROME)
    session = person.log_in(api)
    found: str = next(one["id"] for one in api.get("/v1/sessions", token=session.access).data if one["current"])
    return found


def test_the_list_marks_this_device_and_names_the_others(alice: Person) -> None:
    other = other_session(alice)

    browser = signed_in(alice).open("authsvc-account-devices")

    assert browser.text.count("This one") == 1
    assert browser.text.index("This one") < browser.text.index("Chrome on macOS")
    assert browser.shows_form("authsvc-account-device-end", other)
    assert browser.text.count('/end"') == 1


def test_a_use_of_the_pages_is_the_last_use_of_the_browsers_session(alice: Person) -> None:
    with time_machine.travel("2026-11-20T10:00:00Z", tick=False) as clock:
        browser = signed_in(alice)
        clock.shift(3600)
        browser.open("authsvc-account")
        clock.shift(30)

        browser.open("authsvc-account-devices")

    assert "Last used: 20 November 2026, 11:00 UTC" in browser.text
    assert "Signed in: 20 November 2026, 10:00 UTC" in browser.text


def test_one_device_is_signed_out(alice: Person) -> None:
    other = other_session(alice)
    browser = signed_in(alice).open("authsvc-account-devices")

    browser.submit("authsvc-account-device-end", other)

    assert notice(browser) == "The device is signed out."
    assert "Chrome on macOS" not in browser.text
    assert types(alice) == ["session_ended", "session_revoked"]


def test_the_session_of_another_person_is_not_found(alice: Person, bob: Person) -> None:
    session = existing_session(bob)
    [foreign] = [one["id"] for one in session.api.get("/v1/sessions", token=session.access).data]
    browser = signed_in(alice).open("authsvc-account-devices")

    form = {"csrf_token": browser.field("csrf_token")}
    browser.send(reverse("authsvc-account-device-end", args=[foreign]), form)

    assert browser.status == 404
    assert session.is_live()


def test_all_other_devices_are_signed_out(alice: Person, bob: Person) -> None:
    others = [existing_session(alice), existing_session(alice)]
    foreign = existing_session(bob)
    browser = signed_in(alice).open("authsvc-account-devices")

    browser.submit("authsvc-account-devices-end-others")

    assert notice(browser) == "2 other devices are signed out."
    assert not browser.shows_form("authsvc-account-devices-end-others")
    assert [session.is_live() for session in (*others, foreign)] == [False, False, True]
    assert types(alice) == ["session_ended", "session_revoked"]


def test_signing_out_everywhere_ends_this_session_too(alice: Person) -> None:
    other = existing_session(alice)
    browser = signed_in(alice).open("authsvc-account-devices")
    handle = browser.cookie

    browser.submit("authsvc-account-sign-out-everywhere")

    assert (browser.status, browser.cookie) == (200, "")
    assert "You are signed out everywhere" in browser.text
    assert not other.is_live()
    thief = Browser()
    thief.client.cookies[sessions.cookie_name()] = handle
    assert not thief.is_signed_in()
