import orjson
import pytest
from django.db import transaction

from events.conf import DEFAULT_EVENTS
from events.models import Event
from events.vocabulary import EventType
from events.webhooks.delivery import DeliverWebhooks
from events.webhooks.models import Delivery
from tests.client import PASSWORD, Api
from tests.people import sign_up

from .receiving import NOW, NOWHERE, SECOND, UseWebhook, commit_event, only_delivery, record_event

pytestmark = pytest.mark.django_db


def test_an_event_is_recorded_with_the_exact_bytes_that_are_sent() -> None:
    commit_event(metadata={"signals": ["new_ip"], "note": "žluťoučký \N{CAT}"})

    row, event = only_delivery(), Event.objects.get()
    assert orjson.loads(row.payload) == {
        "id": str(event.pk),
        "type": "password_changed",
        "timestamp": "2026-11-21T03:44:29.123456Z",
        "data": {
            "user_id": "4711",
            "ip": "203.0.113.7",
            "metadata": {"signals": ["new_ip"], "note": "žluťoučký \N{CAT}"},
        },
    }
    assert list(orjson.loads(row.payload)) == ["id", "type", "timestamp", "data"]
    assert (row.event_id, row.event_type, row.user_id, row.ip) == (
        event.pk,
        "password_changed",
        "4711",
        "203.0.113.7",
    )
    assert (row.status, row.attempts, row.response_code, row.error, row.duration_ms) == ("pending", 0, None, "", None)
    assert (row.created_at, row.next_attempt_at, row.delivered_at) == (NOW, NOW, None)


def test_an_event_without_account_and_metadata_has_the_same_members() -> None:
    commit_event(EventType.CREDENTIAL_STUFFING_DETECTED, user_id=None)

    assert orjson.loads(only_delivery().payload)["data"] == {"user_id": None, "ip": "203.0.113.7", "metadata": {}}


@pytest.mark.django_db(transaction=True)
def test_a_delivery_is_committed_or_rolled_back_with_its_event() -> None:
    with pytest.raises(RuntimeError, match="record must run inside a transaction"):
        record_event()
    with transaction.atomic():
        record_event()
        transaction.set_rollback(True)

    assert not Delivery.objects.exists()
    assert DeliverWebhooks().next_due(NOW) is None


def test_without_a_webhook_no_event_is_recorded_and_waiting_deliveries_are_not_changed(use_webhook: UseWebhook) -> None:
    commit_event()
    use_webhook("")
    commit_event()

    assert Delivery.objects.count() == 1
    assert DeliverWebhooks().next_due(NOW) is None


def test_events_that_are_not_configured_leave_no_row(use_webhook: UseWebhook) -> None:
    use_webhook(NOWHERE, WEBHOOK_EVENTS="logout, api_key_created")

    for event in EventType:
        commit_event(event)

    assert sorted(Delivery.objects.values_list("event_type", flat=True)) == ["api_key_created", "logout"]
    assert Event.objects.count() == len(EventType)


def test_the_default_events_are_those_of_the_settings_page() -> None:
    for event in EventType:
        commit_event(event)

    assert list(Delivery.objects.order_by("id").values_list("event_type", flat=True)) == [
        event for event in EventType if event in DEFAULT_EVENTS
    ]
    assert len(DEFAULT_EVENTS) == 28
    assert EventType.LOGIN_SUCCESS not in DEFAULT_EVENTS


def test_the_first_attempt_can_be_delayed(use_webhook: UseWebhook) -> None:
    use_webhook(NOWHERE, WEBHOOK_RETRY_SECONDS="30,60")

    commit_event()

    assert DeliverWebhooks().next_due(NOW) == only_delivery().next_attempt_at == NOW + 30 * SECOND


def test_an_act_of_a_caller_is_recorded_with_the_callers_address(use_webhook: UseWebhook) -> None:
    use_webhook(NOWHERE, WEBHOOK_EVENTS="signup_success,login_success,token_rotated")
    alice = sign_up("alice", api=Api(ip="198.51.100.4"))

    session = alice.log_in().refreshed()

    assert session.is_live()
    rows = list(Delivery.objects.order_by("id"))
    assert [row.event_type for row in rows] == ["signup_success", "login_success", "token_rotated", "token_rotated"]
    assert {row.user_id for row in rows} == {alice.user_id}
    assert {row.ip for row in rows} == {"198.51.100.4"}
    assert {row.event_id for row in rows} <= set(Event.objects.values_list("pk", flat=True))


def test_a_refresh_leaves_no_row_when_its_event_is_not_configured(use_webhook: UseWebhook) -> None:
    use_webhook(NOWHERE, WEBHOOK_EVENTS="logout")

    sign_up("alice").log_in().refreshed()

    assert not Delivery.objects.exists()
    assert Event.objects.filter(type="token_rotated").count() == 1


def test_no_payload_contains_a_secret_or_a_mail_address(use_webhook: UseWebhook) -> None:
    use_webhook(NOWHERE, WEBHOOK_EVENTS=",".join(EventType))
    alice = sign_up("alice")
    session = alice.log_in().refreshed()
    for _ in range(6):
        alice.api.post("/v1/login", {"email": alice.email, "password": "wrong"})

    payloads = " ".join(Delivery.objects.values_list("payload", flat=True))

    assert "account_locked" in payloads
    for secret in (alice.email, "alice", PASSWORD, session.refresh, session.access):
        assert secret not in payloads
