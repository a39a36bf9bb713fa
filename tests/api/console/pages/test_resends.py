"""Webhook deliveries that an operator sends again."""

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Event
from core import clock
from core.db.ids import new_id
from events.webhooks.models import Delivery
from tests.console_browser import Browser, sign_in_with_app
from tests.people import Person

Configure = Callable[..., None]

WEBHOOK = {"WEBHOOK_URL": "https://hooks.example.com/", "WEBHOOK_SECRET": "whsec_" + "a" * 32}


@pytest.fixture
def acting(olivia: Person, configure: Configure) -> Browser:
    """A browser in which Olivia, an admin, is signed in with a second factor. OPERATOR_ACTS is on."""
    configure(OPERATOR_ACTS="on", **WEBHOOK)
    return sign_in_with_app(olivia)


def delivery(status: str) -> Delivery:
    now = clock.now()
    return Delivery.objects.create(
        event_id=new_id(),
        event_type="login_failed",
        payload="{}",
        status=status,
        attempts=7,
        created_at=now,
        next_attempt_at=now,
    )


def statuses() -> list[tuple[str, int]]:
    return list(Delivery.objects.filter(event_type="login_failed").order_by("id").values_list("status", "attempts"))


def test_one_delivery_is_sent_again_with_a_reason(acting: Browser) -> None:
    failed = delivery("failed")
    sending = delivery("in_flight")

    assert f"deliveries/{failed.pk}/resend" in acting.open(f"deliveries/{failed.pk}").text
    assert acting.submit(f"deliveries/{failed.pk}/resend", {"reason": " "}).status == 422
    assert acting.submit(f"deliveries/{sending.pk}/resend", {"reason": "Why not"}).status == 409
    assert acting.submit(f"deliveries/{new_id()}/resend", {"reason": "Why not"}).status == 404
    assert acting.submit(f"deliveries/{failed.pk}/resend", {"reason": "The receiver is up"}).status == 303

    assert statuses() == [("pending", 0), ("in_flight", 7)]
    (event,) = Event.objects.filter(type="operator_acted")
    assert event.metadata == {
        "act": "resend-delivery",
        "delivery_id": str(failed.pk),
        "step": "done",
        "reason": "The receiver is up",
    }
    assert "Sent a delivery again (The receiver is up)" in acting.open("operators").text


def test_all_failed_deliveries_are_sent_again_in_bounded_batches(
    acting: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.deliveries.resends.RESEND_MAX", 2)
    for status in ("failed", "delivered", "failed", "failed"):
        delivery(status)
    assert "3 failed" in acting.open("resend").text

    acting.submit("resend", {"reason": "The receiver is up"}).follow()

    assert "A worker sends 2 failed deliveries again." in acting.text
    assert statuses() == [("pending", 0), ("delivered", 7), ("pending", 0), ("failed", 7)]
    out = StringIO()
    call_command("webhooks", "resend-failed", stdout=out)
    assert out.getvalue() == "1 failed delivery will be sent again by a worker.\n"
    with pytest.raises(CommandError, match="from 1 to 500"):
        call_command("webhooks", "resend-failed", "--limit", "501")


def test_without_the_setting_the_page_prints_the_command(browser: Browser, configure: Configure) -> None:
    configure(OPERATOR_SECOND_FACTOR="optional", **WEBHOOK)
    failed = delivery("failed")

    assert f"manage.py webhooks resend {failed.pk}" in browser.open(f"deliveries/{failed.pk}/resend").text
    assert "manage.py webhooks resend-failed" in browser.open("resend").text
    assert browser.submit("resend", {"reason": "x"}).status == 403
    assert statuses() == [("failed", 7)]
