"""The pages of webhook deliveries: their filters, and the attempts of each."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from console.deliveries import search as delivery_search
from core import clock
from core.db.ids import new_id
from events.webhooks.models import Delivery, DeliveryAttempt
from tests.console_browser import Browser, prefix
from tests.people import Person

Configure = Callable[..., None]


@pytest.fixture(autouse=True)
def _webhook(configure: Configure) -> None:
    configure(WEBHOOK_URL="https://hooks.example.com/", WEBHOOK_SECRET="whsec_" + "a" * 32)


def add(**values: Any) -> Delivery:
    """Store a delivery of an event, both made now."""
    usual = {"event_type": "login_failed", "payload": "{}", "status": "delivered", "attempts": 1}
    event_id, now = new_id(), clock.now()
    return Delivery.objects.create(
        **{"event_id": event_id, "created_at": now, "next_attempt_at": now, **usual, **values}
    )


def shown(browser: Browser, query: str) -> list[str]:
    """Return the ids of the deliveries that the page lists, the newest first."""
    return re.findall(r'<th scope="row"><a href="[^"]*/deliveries/([^"]+)"', browser.open(f"deliveries?{query}").text)


def test_the_filters_find_deliveries_by_type_event_and_user(browser: Browser) -> None:
    Delivery.objects.all().delete()
    old = add(user_id="4711", status="failed", event_type="account_locked")
    for status in ("pending", "in_flight", "delivered"):
        add(user_id="4712", status=status)
    new = add(user_id="4711", status="pending")

    assert shown(browser, "user=4711") == [str(new.pk), str(old.pk)]
    assert shown(browser, "user=4711&status=failed") == [str(old.pk)]
    assert shown(browser, "user=4711&type=login_failed") == [str(new.pk)]
    assert shown(browser, f"event={old.event_id}") == [str(old.pk)]
    assert shown(browser, f"event={old.event_id}&status=pending") == []
    assert "No delivery matches" in browser.text
    assert shown(browser, "type=account_locked") == [str(old.pk)]
    assert browser.open("deliveries?event=4711").status == 400
    assert 'id="event-error">must be the id of an event' in browser.text
    browser.submit("export/deliveries", {"user": "4711", "type": "account_locked"})
    lines = b"".join(browser.page.streaming_content).decode().splitlines()
    assert [line.partition(",")[0] for line in lines] == ["id", str(old.pk)]


@pytest.mark.parametrize("query", ["", "user=4711&"])
def test_the_list_continues_behind_its_pages(browser: Browser, query: str) -> None:
    Delivery.objects.all().delete()
    made = [str(add(user_id="4711", status=status).pk) for status in ("failed", "pending", "delivered", "failed")]

    first = shown(browser, f"{query}limit=3")
    older = re.search(r'href="[^"]*\?([^"]*)" rel="next"', browser.text)

    assert older is not None
    assert first + shown(browser, older[1].replace("&amp;", "&")) == made[::-1]
    assert 'rel="next"' not in browser.text
    assert ">Newest</a>" in browser.text


def test_a_search_without_an_index_stops_and_states_how_far_it_came(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery_search, "SCANNED_MAX", 3)
    Delivery.objects.all().delete()
    wanted = add(event_type="account_locked")
    for _ in range(4):
        add()

    assert shown(browser, "type=account_locked") == []
    assert "The part that was searched has no match." in browser.text
    assert "searched back to <time" in browser.text
    older = re.search(r'href="[^"]*\?([^"]*)" rel="next"', browser.text)
    assert older is not None
    assert shown(browser, older[1].replace("&amp;", "&")) == [str(wanted.pk)]


def test_the_waiting_deliveries_of_a_user_are_read_in_bounded_pages(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery_search, "SCANNED_MAX", 3)
    Delivery.objects.all().delete()
    states = ("delivered", "pending", "failed", "pending", "in_flight")
    wanted = [str(add(user_id="4711", status=status).pk) for status in states]
    for status in ("pending", "in_flight"):
        for _ in range(4):
            add(user_id="4712", status=status)

    found, query, said = [], "user=4711", 0
    while query:
        found += shown(browser, query)
        said += "searched back to <time" in browser.text
        older = re.search(r'href="[^"]*\?([^"]*)" rel="next"', browser.text)
        query = older[1].replace("&amp;", "&") if older else ""

    assert found == wanted[::-1]
    assert said >= 2


def test_a_delivery_shows_the_address_of_its_user(browser: Browser, alice: Person, bob: Person) -> None:
    Delivery.objects.all().delete()
    row = add(user_id=alice.user_id)
    add(user_id=bob.user_id)
    add(user_id="4711")

    with CaptureQueriesContext(connection) as captured:
        browser.open("deliveries")
    for person in (alice, bob):
        assert f'<a class="user-text" href="{prefix()}users/{person.user_id}">{person.email}</a>' in browser.text
    condition = '"authsvc_accounts_account"."user_id" IN ('
    assert sum(condition in query["sql"] for query in captured) == 1

    assert alice.email in browser.open(f"deliveries/{row.pk}").text
    assert f'href="{prefix()}events/{row.event_id}"' in browser.text
    assert shown(browser, f"user={alice.email.upper()}") == [str(row.pk)]


def test_a_delivery_shows_each_attempt_with_its_answer(browser: Browser) -> None:
    delivery = add(attempts=2, status="failed", error="The receiver answered 503.", response_code=503, duration_ms=12)
    assert "The receiver answered 503 in 12 ms." in browser.open(f"deliveries/{delivery.pk}").text
    for number, code in ((1, None), (2, 503)):
        DeliveryAttempt.objects.create(
            delivery_id=delivery.pk,
            number=number,
            started_at=clock.now() - timedelta(hours=1),
            response_code=code,
            error="The receiver answered 503." if code else "The server did not answer in time.",
            beginning="<b>busy</b>" if code else "",
            duration_ms=15_000,
        )

    page = browser.open(f"deliveries/{delivery.pk}").text

    assert "<title>Login failed, delivery …" in page
    assert '<span class="badge bad">503</span>' in page
    assert "&lt;b&gt;busy&lt;/b&gt;" in page
    assert '<span class="badge bad">No answer</span> The server did not answer in time.' in page
    assert page.count("15,000 ms") == 2


def test_a_logout_token_to_an_application_is_a_delivery_too(browser: Browser, configure: Configure) -> None:
    configure(WEBHOOK_URL="")
    assert "No webhook is configured" in browser.open("deliveries").text
    payload = '{"url": "https://app.example.com/logout", "claims": {}}'
    row = add(kind="logout", event_type="backchannel_logout", status="failed", error="No answer.", payload=payload)
    add(event_type="login_failed")

    assert shown(browser, "type=backchannel_logout") == [str(row.pk)]
    assert "Logout token to an application" in browser.text
    page = browser.open(f"deliveries/{row.pk}")
    assert page.status == 200
    assert "https://app.example.com/logout" in page.text
    assert "webhook-signature" not in page.text
    assert "/events/" not in page.text.partition("<main")[2]
