from collections.abc import Callable
from io import StringIO

import orjson
import pytest
from django.core.management import CommandError, call_command

from events.models import Event
from events.webhooks.delivery import LEASE
from events.webhooks.models import Delivery
from tests.loopback import answering, response, serving

from .receiving import NOW, NOWHERE, OLD_KEY, UseWebhook, commit_event, deliver_to, only_delivery, sign

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("webhooks", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize("of", ["pk", "event_id"])
@pytest.mark.parametrize("status", ["200 OK", "410 Gone"])
def test_a_finished_delivery_is_sent_again_with_the_same_id_and_body(
    use_webhook: UseWebhook, of: str, status: str
) -> None:
    commit_event()
    before = deliver_to(answering(response(status=status)), use_webhook)

    said = run("resend", str(getattr(only_delivery(), of)))

    row = only_delivery()
    assert said == f"{row.pk} (password_changed) will be sent again by a worker.\n"
    assert (row.status, row.attempts, row.next_attempt_at, row.delivered_at) == ("pending", 0, NOW, None)
    assert row.response_code == int(status[:3])
    after = deliver_to(answering(response(status="202 Yes")), use_webhook)
    first, second = before.received[0], after.received[0]
    assert (first.body, first.headers["webhook-id"]) == (second.body, second.headers["webhook-id"])
    assert (only_delivery().status, only_delivery().attempts, only_delivery().response_code) == ("delivered", 1, 202)


def test_a_waiting_delivery_becomes_due_at_once_and_keeps_its_remaining_attempts() -> None:
    commit_event()
    Delivery.objects.update(attempts=3, next_attempt_at=NOW + LEASE)

    said = run("resend", str(only_delivery().pk))

    assert said == f"{only_delivery().pk} (password_changed) will be sent again by a worker.\n"
    assert (only_delivery().status, only_delivery().attempts, only_delivery().next_attempt_at) == ("pending", 3, NOW)


def test_a_delivery_in_flight_is_not_changed() -> None:
    commit_event()
    Delivery.objects.update(status="in_flight", next_attempt_at=NOW + LEASE)

    with pytest.raises(
        CommandError, match=r"A worker is sending this delivery now. Try again after 2026-11-21T03:49:29\.123456Z\."
    ):
        run("resend", str(only_delivery().pk))

    assert (only_delivery().status, only_delivery().next_attempt_at) == ("in_flight", NOW + LEASE)


@pytest.mark.parametrize("spelling", ["{0!s}", "{0.hex}", "{{{0!s}}}", "urn:uuid:{0!s}"])
@pytest.mark.parametrize("case", [str.lower, str.upper])
def test_an_id_is_accepted_in_any_spelling(spelling: str, case: Callable[[str], str]) -> None:
    commit_event()
    written = spelling.format(only_delivery().event_id)

    run("resend", written if "urn" in written else case(written))

    assert only_delivery().next_attempt_at == NOW


@pytest.mark.parametrize("unknown", ["0199f3a2-7c11-7abc-8def-0123456789ab", "4711", ""])
def test_an_unknown_delivery_is_not_sent(unknown: str) -> None:
    with pytest.raises(CommandError, match=f"There is no delivery or event with the id {unknown}"):
        run("resend", unknown)


@pytest.mark.parametrize("arguments", [("test",), ("resend", "4711")])
def test_without_a_webhook_the_command_fails(use_webhook: UseWebhook, arguments: tuple[str, ...]) -> None:
    use_webhook("")

    with pytest.raises(CommandError, match="WEBHOOK_URL is unset"):
        run(*arguments)


def test_an_example_is_signed_and_sent_and_not_recorded(use_webhook: UseWebhook) -> None:
    with serving(answering(response(status="202 Accepted"))) as peer:
        use_webhook(peer.url())
        said = run("test")

    (received,) = peer.received
    payload = orjson.loads(received.body)
    assert payload == {
        "id": received.headers["webhook-id"],
        "type": "webhook_test",
        "timestamp": "2026-11-21T03:44:29.123456Z",
        "data": {"user_id": None, "ip": "", "metadata": {}},
    }
    assert received.headers["webhook-signature"] == sign(
        OLD_KEY,
        message_id=payload["id"],
        timestamp=received.headers["webhook-timestamp"],
        body=received.body,
    )
    sent, answer = said.splitlines()
    assert sent == f"sent      {received.body.decode()}"
    assert answer.startswith("answer    202 after ")
    assert not Delivery.objects.exists()
    assert not Event.objects.exists()


def test_an_example_that_the_receiver_refuses_fails_the_command(use_webhook: UseWebhook) -> None:
    with serving(answering(response(status="500 Oops"))) as peer:
        use_webhook(peer.url())
        with pytest.raises(CommandError, match=r"The receiver answered 500\.") as caught:
            run("test")

    assert caught.value.returncode == 1
    use_webhook(NOWHERE)
    with pytest.raises(CommandError, match="The host name cannot be resolved"):
        run("test")


def test_an_example_that_may_not_be_sent_names_the_setting_that_would_allow_it(use_webhook: UseWebhook) -> None:
    use_webhook("https://127.0.0.1:9/", WEBHOOK_ALLOW_PRIVATE="off")

    with pytest.raises(CommandError) as caught:
        run("test")

    assert str(caught.value) == (
        "Refused: The host name resolves to an address that is not public. "
        "To allow an address that is not public, set WEBHOOK_ALLOW_PRIVATE=on."
    )
