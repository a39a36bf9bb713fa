"""Alerts to operators: what raises one, who gets it, and how often."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pytest_django import Settings

from accounts.models import Event
from console.alerts.matters import AlertKind, Matter, find_matters
from console.alerts.raising import KIND_PAUSE, RaiseAlerts, prunable_alerts, raise_alert
from console.models import Alert
from core import clock
from core.db.ids import new_id
from events.webhooks.models import Delivery
from mail.models import OutgoingMail
from tests.console_browser import grant
from tests.mails import delivered, text_of
from tests.people import Person

pytestmark = pytest.mark.usefixtures("full_deployment", "db")

Use = Callable[..., None]
NIGHT = datetime(2026, 3, 10, 3, 0, tzinfo=UTC)


@pytest.fixture
def use(settings: Settings) -> Use:
    """Change the service's settings until the end of the test."""

    def change(**variables: str) -> None:
        settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **variables}

    return change


def matter(name: str) -> Matter:
    return Matter(kind=AlertKind.ATTACK, key=f"attack {name}", line=f"{name}: 25 failed logins")


def alerts() -> list[dict[str, Any]]:
    return list(Event.objects.filter(type="alert_raised").order_by("id").values_list("metadata", flat=True))


def raised(*names: str, at: datetime) -> bool:
    return raise_alert(kind=AlertKind.ATTACK, matters=[matter(name) for name in names], now=at)


def test_a_matter_raises_one_alert_in_a_pause_and_a_kind_one_in_an_hour(use: Use) -> None:
    use(ALERT_PAUSE_HOURS="6")

    assert raised("one", at=NIGHT)
    assert not raised("one", at=NIGHT + timedelta(hours=5))
    assert not raised("one", "two", at=NIGHT + timedelta(minutes=59)), "The kind rests for an hour."
    assert raised("one", "two", at=NIGHT + KIND_PAUSE)
    assert raised("one", "two", at=NIGHT + timedelta(hours=6))

    assert [alert["matters"] for alert in alerts()] == [
        ["one: 25 failed logins"],
        ["two: 25 failed logins"],
        ["one: 25 failed logins"],
    ]
    assert {alert["author"] for alert in alerts()} == {"service"}
    assert prunable_alerts(NIGHT + timedelta(days=31)).count() == Alert.objects.count() == 3


def test_the_mail_goes_to_the_operators_and_the_named_addresses_once_each(use: Use, alice: Person, bob: Person) -> None:
    grant(alice)
    use(ALERT_MAIL=f"duty@example.com,operators,{alice.email}")

    raised("203.0.113.0/24", at=clock.now())

    (mail,) = delivered("duty@example.com")
    assert mail["Subject"].startswith("Alert of ")
    assert "- 203.0.113.0/24: 25 failed logins" in text_of(mail)
    assert [len(delivered(one)) for one in (alice.email, bob.email)] == [1, 0]


def test_nothing_runs_until_a_recipient_is_set(use: Use) -> None:
    job = RaiseAlerts()

    assert job.next_due(NIGHT) is None
    use(WEBHOOK_URL="https://hooks.example.com/", WEBHOOK_SECRET="whsec_" + "a" * 32, WEBHOOK_EVENTS="alert_raised")
    assert job.next_due(NIGHT) == NIGHT
    job.run(NIGHT, lambda: False)
    assert job.next_due(NIGHT) == NIGHT + timedelta(minutes=1)


def test_an_attack_raises_an_alert_and_a_forgetful_person_does_not(use: Use) -> None:
    now = clock.now()
    for ip, failures in (("198.51.100.7", 25), ("203.0.113.9", 6)):
        failed = [Event(type="login_failed", ip=ip, created_at=now - timedelta(minutes=5)) for _ in range(failures)]
        signals = {"signals": ["ip_failure_velocity" if failures > 20 else "user_failure_velocity"]}
        Event.objects.bulk_create(failed)
        Event.objects.create(type="anomaly_detected", ip=ip, metadata=signals, created_at=now - timedelta(minutes=4))

    (found,) = [one for one in find_matters(now=now) if one.kind is AlertKind.ATTACK]

    assert found.key == "attack 198.51.100.0/24"
    assert found.line == (
        "198.51.100.0/24 guesses passwords at an unusual rate (25 failed logins, 1 report, in the last hour)"
    )


@pytest.mark.parametrize(
    ("status", "number", "ended", "is_raised"),
    [
        ("failed", 1, timedelta(minutes=10), True),
        ("failed", 5, timedelta(hours=2), False),
        ("pending", 19, timedelta(), False),
        ("pending", 20, timedelta(), True),
    ],
)
def test_failing_deliveries_are_a_matter_while_they_are_fresh(
    use: Use, status: str, number: int, ended: timedelta, is_raised: bool
) -> None:
    use(WEBHOOK_URL="https://hooks.example.com/", WEBHOOK_SECRET="whsec_" + "a" * 32)
    now = clock.now()
    Delivery.objects.bulk_create(
        Delivery(
            id=new_id(),
            event_id=new_id(),
            event_type="login_failed",
            payload="{}",
            status=status,
            error="The receiver answered 503.",
            created_at=now,
            next_attempt_at=now - ended,
        )
        for _ in range(number)
    )

    assert bool([one for one in find_matters(now=now) if one.kind is AlertKind.DELIVERIES]) == is_raised


def test_late_work_is_a_matter_of_its_job(use: Use, alice: Person) -> None:
    use(ALERT_MAIL="duty@example.com")
    alice.api.post("/v1/magic-link/request", {"email": alice.email})
    assert OutgoingMail.objects.exists()
    later = clock.now() + timedelta(minutes=3)

    RaiseAlerts().run(later, lambda: False)

    (alert,) = [one for one in alerts() if one["kind"] == "worker"]
    assert any(str(line).startswith("mails: due since ") for line in alert["matters"])
