"""The way from a text to its page, and the pages of one event and of one person."""

from datetime import timedelta
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from console.reports import login_methods
from core.clock import now
from events.models import Event
from sessions_app.models import Identity
from tests.console_browser import Browser, prefix
from tests.factories import DeliveryFactory, EventFactory, ShippedLogFactory
from tests.people import Person, sign_up


def found(browser: Browser, text: str) -> str:
    """Return the path to which the text leads, or the text of the page of hits."""
    browser.open(f"find?q={quote(text)}")
    return browser.location if browser.status == 303 else browser.text


def test_one_hit_leads_straight_to_its_page(browser: Browser, olivia: Person, bob: Person) -> None:
    event = EventFactory.create(user_id=bob.user_id)
    delivery = DeliveryFactory.create()
    ShippedLogFactory.create(content={"request_id": "b4c1e380f747cc6d15ea83190854a774"})
    root = prefix()

    assert found(browser, bob.email.upper()) == f"{root}users/{bob.user_id}"
    assert found(browser, f" {bob.user_id.upper()} ") == f"{root}users/{bob.user_id}"
    assert found(browser, "bob@") == f"{root}users/{bob.user_id}"
    assert found(browser, str(event.pk)) == f"{root}events/{event.pk}"
    assert found(browser, str(delivery.pk)) == f"{root}deliveries/{delivery.pk}"
    assert found(browser, "2001:DB8::7") == f"{root}events?ip=2001%3Adb8%3A%3A7"
    assert found(browser, "203.0.113.9/24") == f"{root}events?network=203.0.113.0%2F24"
    request = "b4c1e380f747cc6d15ea83190854a774"
    assert found(browser, request) == f"{root}logs?request_id={request}"


def test_several_hits_are_listed_and_no_hit_says_what_can_be_found(browser: Browser, olivia: Person) -> None:
    people = [sign_up(f"person{number}") for number in range(2)]

    listed = found(browser, "PERSON")
    nothing = found(browser, "<script>alert(1)</script>")

    assert all(f'href="{prefix()}users/{person.user_id}"' in listed for person in people)
    assert "<script>alert" not in nothing
    assert "Nothing was found" in nothing
    assert "Nothing was found" in found(browser, "zz")
    assert "the events of a network" in found(browser, "")
    assert f'action="{prefix()}find"' in browser.open("users").text


def test_an_event_has_a_page_that_leads_on(browser: Browser, olivia: Person, bob: Person, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOG_SHIPPING": "record"}
    metadata = {"signals": ["new_ip", "new_device"], "<b>": "<i>"}
    event = EventFactory.create(type="anomaly_detected", user_id=bob.user_id, ip="2001:db8::7", metadata=metadata)
    content = {"ip": "2001:db8::7", "request_id": "b4c1e380f747cc6d15ea83190854a774"}
    ShippedLogFactory.create(content=content, created_at=event.created_at + timedelta(seconds=1))
    unknown = EventFactory.create(type="login_failed", user_id="4711", ip="")

    page = browser.open(f"events/{event.pk}").text
    bare = browser.open(f"events/{unknown.pk}").text

    for text in (
        f'href="{prefix()}users/{bob.user_id}">{bob.email}</a>',
        f'href="{prefix()}events?ip=2001%3Adb8%3A%3A7"',
        f'href="{prefix()}events?network=2001%3Adb8%3A%3A%2F64"',
        f'href="{prefix()}reviews/{event.pk}"',
        f'href="{prefix()}logs?request_id=b4c1e380f747cc6d15ea83190854a774"',
        "&lt;i&gt;",
    ):
        assert text in page
    assert "no account has this id now" in bare
    assert browser.open("events/unknown").status == 404


def test_events_show_addresses_and_are_found_by_address_and_method(
    browser: Browser, olivia: Person, bob: Person
) -> None:
    Event.objects.all().delete()
    for method in ({"method": "password"}, {"method": "oauth", "provider": "google"}, {"method": "passkey"}):
        EventFactory.create(type="login_success", user_id=bob.user_id, metadata=method)
    EventFactory.create(type="login_failed", user_id="4711", metadata={})

    def rows(query: str) -> int:
        return browser.open(f"events?{query}").text.count('<tr id="event-')

    assert rows(f"user={quote(bob.email.upper())}") == 3
    assert browser.text.count(f">{bob.email}</a>") == 3
    assert f'value="{bob.email.upper()}"' in browser.text
    assert rows("login_method=password") == rows("login_method=oauth") == rows("login_method=provider:google") == 1
    assert rows("login_method=provider:github") == 0
    assert '<option value="provider:github" selected>GitHub</option>' in browser.text
    assert rows(f"login_method=passkey&user={bob.user_id}") == 1
    assert rows("type=login_failed&login_method=password") == 0
    browser.open("events?user=nobody@example.com&login_method=magic")
    assert browser.status == 400
    assert "No account has this address." in browser.text
    assert "must be one of password, magic_link" in browser.text


def test_logins_are_counted_by_method_and_day(browser: Browser, olivia: Person) -> None:
    Event.objects.all().delete()
    at = now().replace(hour=0, minute=0, second=0, microsecond=0)
    for metadata, days in (
        ({"method": "password"}, 0),
        ({"method": "password"}, 6),
        ({"method": "password"}, 7),
        ({"method": "oauth", "provider": "google"}, 1),
    ):
        EventFactory.create(type="login_success", metadata=metadata, created_at=at - timedelta(days=days))

    week = login_methods.report(window_days=7, now=at + timedelta(seconds=1))
    page = browser.open("login-methods?window_days=8").text

    assert [(one.method, one.total, list(one.by_day)) for one in week.methods] == [
        ("password", 2, [1, 0, 0, 0, 0, 0, 1]),
        ("provider:google", 1, [0, 0, 0, 0, 0, 1, 0]),
    ]
    assert "4 completed logins in 8 days" in page
    assert f'href="{prefix()}events?login_method=provider%3Agoogle' in page
    assert browser.open("login-methods?window_days=31").status == 400


def test_a_person_is_shown_with_all_facts(browser: Browser, olivia: Person, bob: Person) -> None:
    bob.log_in().api.post("/v1/magic-link/request", {"email": bob.email})
    flagged = EventFactory.create(
        type="anomaly_detected", user_id=bob.user_id, ip="203.0.113.7", metadata={"signals": []}
    )
    Identity.objects.create(
        account=bob.account(), provider="google", issuer="g", subject="1", created_at=now(), last_used_at=now()
    )

    with CaptureQueriesContext(connection) as captured:
        page = browser.open(f"users/{bob.user_id}").text

    for text in (
        "Not proven",
        "<dt>Last sign-in</dt><dd><time",
        "<dt>Operator</dt><dd>No</dd>",
        f'href="{prefix()}reviews/{flagged.pk}"',
        f'href="{prefix()}events?ip=203.0.113.7"',
        "Link: Magic link",
        "Google",
    ):
        assert text in page
    assert len(captured) <= 23
    assert "with the role" in browser.open(f"users/{olivia.user_id}").text


@pytest.mark.parametrize("path", ["find?q=a", "events/unknown"])
def test_the_pages_need_an_operator(path: str, db: None, full_deployment: None) -> None:
    assert "/sign-in" in Browser().open(path).location
