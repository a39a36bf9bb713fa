"""`manage.py webhooks`: test the webhook, and send a delivery again."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError
from django.db.models import Q

from core.clock import now as read_clock
from core.clock import rfc3339
from core.commands import ServiceCommand
from core.db.ids import new_id
from events.conf import webhook_settings
from events.webhooks.delivery import RESEND_MAX, has_receivers, send, send_again, send_failed_again
from events.webhooks.models import Delivery
from events.webhooks.queue import payload_of

EXAMPLE = "webhook_test"


class Command(ServiceCommand):
    """Sends a test event to the webhook, or queues a delivery again."""

    help = "Send a signed test event to WEBHOOK_URL, or send a delivery again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("test", help="send a signed test event now and print the response; nothing is recorded")
        resend = actions.add_parser("resend", help="send a delivery again, with the same id and the same bytes")
        resend.add_argument("id", help="id of the delivery or of its event")
        failed = actions.add_parser("resend-failed", help="send failed deliveries again, the oldest first")
        failed.add_argument(
            "--limit", type=int, default=RESEND_MAX, help=f"how many, at most {RESEND_MAX} (default: %(default)s)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not (webhook_settings().url or (options["action"] != "test" and has_receivers())):
            raise CommandError("WEBHOOK_URL is unset. Set it to the URL of the receiver.")
        if options["action"] == "test":
            self._test()
        elif options["action"] == "resend":
            self._resend(options["id"])
        else:
            self._resend_failed(options["limit"])

    def _test(self) -> None:
        now = read_clock()
        message_id = str(new_id())
        payload = payload_of(event_id=message_id, event=EXAMPLE, user_id=None, ip="", metadata={}, now=now)
        outcome = send(message_id=message_id, payload=payload, settings=webhook_settings(), now=now)
        self.stdout.write(f"sent      {payload}")
        if outcome.response_code is not None:
            self.stdout.write(f"answer    {outcome.response_code} after {outcome.duration_ms} ms")
        if outcome.is_refused and not webhook_settings().allow_private:
            raise CommandError(f"{outcome.error} To allow an address that is not public, set WEBHOOK_ALLOW_PRIVATE=on.")
        if not outcome.is_delivered:
            raise CommandError(outcome.error)

    def _resend_failed(self, limit: int) -> None:
        if not 1 <= limit <= RESEND_MAX:
            raise CommandError(f"--limit must be a number from 1 to {RESEND_MAX}.")
        number = send_failed_again(limit=limit, now=read_clock())
        self.stdout.write(f"{number} failed deliver{'y' if number == 1 else 'ies'} will be sent again by a worker.")

    def _resend(self, text: str) -> None:
        delivery = _find_delivery(text)
        if delivery is None:
            raise CommandError(f"There is no delivery or event with the id {text}.")
        if not send_again(delivery=delivery, now=read_clock()):
            delivery.refresh_from_db()
            raise CommandError(
                f"A worker is sending this delivery now. Try again after {rfc3339(delivery.next_attempt_at)}."
            )
        self.stdout.write(f"{delivery.pk} ({delivery.event_type}) will be sent again by a worker.")


def _find_delivery(text: str) -> Delivery | None:
    try:
        # UUID() accepts any spelling: the operator may have copied the id from a log or from another database.
        key = UUID(text)
    except ValueError:
        return None
    return Delivery.objects.filter(Q(pk=key) | Q(event_id=key)).first()
