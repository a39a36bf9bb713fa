"""Delivery of events to the webhook, and of messages of other kinds.

Each request to the webhook is signed. A crash of either side does not lose an event. The receiver can get an event more
than once.
"""

import base64
import hmac
import logging
import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from time import perf_counter
from typing import Any

from django.db.models import F, Min, Q, QuerySet

from core.clock import now as read_clock
from core.db.ids import first_id
from core.db.leases import claim, still_claimed
from core.db.transactions import transaction_required, write
from core.outgoing import OutgoingError, TargetRefused, fetch

from ..conf import WebhookSettings, webhook_settings
from .attempts import BEGINNING_MAX, forget_attempts, readable, record_attempt
from .models import Delivery
from .senders import Message, sender_of

logger = logging.getLogger("authsvc.webhooks")

Status = Delivery.Status

BATCH = 8
"""The number of deliveries that a worker sends at the same time."""
LEASE = timedelta(minutes=5)
TIMEOUT_SECONDS = 15.0
RETRY_AFTER_MAX = timedelta(hours=24)
JITTER = 0.2
"""The largest random extension of a pause, as a fraction of the pause.

Deliveries that failed at the same time are then not retried at the same time.
"""
GONE_STATUS = 410
RESEND_MAX = 500
"""The most failed deliveries that one call sends again. A receiver that has just recovered must not get all at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of an attempt.

    `response_code` is the HTTP status of the receiver, or None without a response. `error` is a short text, or "" after
    a success. `is_refused` means that the service refused to call the target.
    """

    response_code: int | None
    error: str
    duration_ms: int
    retry_after: timedelta | None = None
    is_refused: bool = False
    beginning: str = ""
    """The first characters of the receiver's answer."""

    @property
    def is_delivered(self) -> bool:
        """Return whether the receiver accepted the delivery, which means a 2xx status. A redirect is a failure."""
        return self.response_code is not None and 200 <= self.response_code < 300  # noqa: PLR2004 - 2xx


class DeliverWebhooks:
    """Job that sends the due deliveries in batches. The deliveries of a batch run in parallel."""

    name = "webhooks"

    def next_due(self, now: datetime) -> datetime | None:
        due: datetime | None = _sendable(webhook_settings()).aggregate(due=Min("next_attempt_at"))["due"]
        return due

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        webhook = webhook_settings()
        in_flight = {"status": Status.IN_FLIGHT, "attempts": F("attempts") + 1}
        batch = claim(_sendable(webhook), limit=BATCH, lease=LEASE, now=now, changes=in_flight)
        if not batch:
            return
        with ThreadPoolExecutor(len(batch)) as pool:
            attempts = {pool.submit(_attempt, row, webhook): row for row in batch}
            for attempt in as_completed(attempts):
                _store_outcome(attempts[attempt], attempt.result(), webhook)


def send(*, message_id: str, payload: str, settings: WebhookSettings, now: datetime) -> Outcome:
    """Send the payload to the webhook once, and return the result. Runs no database statements."""
    body = payload.encode()
    headers = headers_of(message_id=message_id, body=body, secrets=settings.secrets, now=now)
    return _post(Message(url=settings.url, headers=headers, body=body), settings, now=now)


def _post(message: Message, settings: WebhookSettings, *, now: datetime) -> Outcome:
    started = perf_counter()
    try:
        answer = fetch(
            method="POST",
            url=message.url,
            headers=message.headers,
            body=message.body,
            timeout_seconds=TIMEOUT_SECONDS,
            max_bytes=None,
            allow_private=settings.allow_private,
            beginning_bytes=BEGINNING_MAX,
        )
    except TargetRefused as error:
        return Outcome(
            response_code=None, error=f"Refused: {error}", duration_ms=_milliseconds_since(started), is_refused=True
        )
    except OutgoingError as error:
        return Outcome(response_code=None, error=str(error), duration_ms=_milliseconds_since(started))
    return Outcome(
        response_code=answer.status,
        error=_error_of(answer.status),
        duration_ms=_milliseconds_since(started),
        retry_after=read_retry_after(answer.headers, now=now, longest=RETRY_AFTER_MAX),
        beginning=readable(answer.body),
    )


def headers_of(*, message_id: str, body: bytes, secrets: tuple[bytes, ...], now: datetime) -> dict[str, str]:
    """Return the headers of Standard Webhooks 1.0: the id, the timestamp, and one `v1` signature for each secret."""
    timestamp = str(int(now.timestamp()))
    signed = b".".join((message_id.encode(), timestamp.encode(), body))
    signatures = (base64.b64encode(hmac.digest(secret, signed, "sha256")).decode() for secret in secrets)
    return {
        "Content-Type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(f"v1,{signature}" for signature in signatures),
    }


def read_retry_after(headers: Mapping[str, str], *, now: datetime, longest: timedelta) -> timedelta | None:
    """Return the pause that the Retry-After header demands, in seconds or as a date.

    The pause is at most `longest`. Returns None when the header is missing or malformed.
    """
    text = headers.get("Retry-After", "").strip()
    if text.isascii() and text.isdigit():
        # A number of nine digits already exceeds every `longest`, and a timedelta would overflow for a longer number.
        return min(timedelta(seconds=int(text[:9])), longest)
    try:
        until = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return min(max(until.replace(tzinfo=until.tzinfo or UTC) - now, timedelta()), longest)


def find_pause(*, attempts: int, schedule: tuple[int, ...]) -> timedelta | None:
    """Return the pause after this number of failed attempts, without jitter. Return None after the last attempt."""
    return timedelta(seconds=schedule[attempts]) if attempts < len(schedule) else None


@write
def send_again(*, delivery: Delivery, now: datetime) -> bool:
    """Restart the delivery as `restart` does. Opens its own transaction."""
    return restart(delivery=delivery, now=now)


@write
def send_failed_again(*, limit: int, now: datetime) -> int:
    """Restart failed deliveries as `restart_failed` does. Opens its own transaction."""
    return restart_failed(limit=limit, now=now)


@transaction_required
def restart(*, delivery: Delivery, now: datetime) -> bool:
    """Make the delivery due now and return True. Return False when a worker sends the delivery at the moment.

    A finished delivery starts again with its first attempt. The id and the payload stay the same. Needs a transaction.
    """
    row = Delivery.objects.filter(pk=delivery.pk)
    finished = row.filter(status__in=(Status.DELIVERED, Status.FAILED))
    return bool(
        finished.update(status=Status.PENDING, attempts=0, next_attempt_at=now, delivered_at=None)
        or row.filter(status=Status.PENDING).update(next_attempt_at=now)
    )


@transaction_required
def restart_failed(*, limit: int, now: datetime) -> int:
    """Make at most `limit` failed deliveries due now, the oldest first, and return their number. Needs a transaction."""
    failed = Delivery.objects.filter(status=Status.FAILED)
    keys = list(failed.order_by("id").values_list("pk", flat=True)[:limit])
    # The status is tested again: another operator may have sent some of them in the meantime.
    return failed.filter(pk__in=keys).update(status=Status.PENDING, attempts=0, next_attempt_at=now, delivered_at=None)


@transaction_required
def forget_deliveries(*, user_id: str) -> None:
    """Delete the account's finished deliveries. The receiver still gets the unfinished ones.

    Needs a transaction.
    """
    # The condition repeats the condition of the partial index, so that the database uses the index.
    finished = Delivery.objects.filter(Q(status=Status.DELIVERED) | Q(status=Status.FAILED), user_id=user_id)
    forget_attempts(deliveries=finished)
    finished.delete()


def unfinished_deliveries() -> QuerySet[Delivery]:
    """Return the deliveries that wait for their next attempt or are being sent."""
    return Delivery.objects.filter(Q(status=Status.PENDING) | Q(status=Status.IN_FLIGHT))


def prunable_deliveries(now: datetime) -> QuerySet[Delivery]:
    """Return the finished deliveries that are past their retention.

    Without a WEBHOOK_URL the unfinished deliveries count too, because the service will never send them.
    """
    cutoff = now - timedelta(days=webhook_settings().retention_days)
    old = Delivery.objects.filter(pk__lt=first_id(cutoff), created_at__lt=cutoff)
    return old.filter(status__in=(Status.DELIVERED, Status.FAILED)) if webhook_settings().url else old


def has_receivers() -> bool:
    """Return whether there is a webhook, or a delivery of another kind than an event."""
    return bool(webhook_settings().url) or Delivery.objects.exclude(kind=Delivery.Kind.EVENT).exists()


def _sendable(settings: WebhookSettings) -> QuerySet[Delivery]:
    """Return the unfinished deliveries that have a receiver. Events have none without a webhook."""
    rows = unfinished_deliveries()
    return rows if settings.url else rows.exclude(kind=Delivery.Kind.EVENT)


def _attempt(row: Delivery, settings: WebhookSettings) -> Outcome:
    now = read_clock()
    if row.kind == Delivery.Kind.EVENT:
        return send(message_id=str(row.event_id), payload=row.payload, settings=settings, now=now)
    try:
        message = sender_of(row.kind).message_of(payload=row.payload, now=now)
    except Exception:
        # A file of keys that cannot be read, or a kind of a later release. Otherwise one delivery would stop the batch.
        logger.exception("a delivery has no request", extra={"delivery_id": str(row.pk), "kind": row.kind})
        return Outcome(response_code=None, error="The request could not be made, see the log.", duration_ms=0)
    return _post(message, settings, now=now)


@write
def _store_outcome(row: Delivery, outcome: Outcome, settings: WebhookSettings) -> None:
    """Store the result of the attempt, unless another worker has claimed the delivery in the meantime."""
    now = read_clock()
    record_attempt(
        delivery_id=row.pk,
        number=row.attempts,
        response_code=outcome.response_code,
        error=outcome.error,
        beginning=outcome.beginning,
        duration_ms=outcome.duration_ms,
        now=now,
    )
    result: dict[str, Any] = {
        "response_code": outcome.response_code,
        "error": outcome.error,
        "duration_ms": outcome.duration_ms,
    }
    if outcome.is_delivered:
        still_claimed(row).update(status=Status.DELIVERED, delivered_at=now, **result)
        return
    pause = find_pause(attempts=row.attempts, schedule=settings.retry_seconds)
    log_fields = {"delivery_id": str(row.pk), "attempts": row.attempts, "reason": outcome.error}
    if pause is None or outcome.response_code == GONE_STATUS:
        if still_claimed(row).update(status=Status.FAILED, **result):
            logger.warning("a webhook delivery failed and will not be tried again", extra=log_fields)
        return
    pause *= 1 + JITTER * secrets.randbelow(1000) / 1000
    # The pause that the receiver demands gets no jitter. RETRY_AFTER_MAX limits it.
    next_attempt_at = now + max(pause, outcome.retry_after or timedelta())
    if still_claimed(row).update(status=Status.PENDING, next_attempt_at=next_attempt_at, **result):
        logger.info("a webhook delivery failed and will be tried again", extra=log_fields)


def _error_of(status: int) -> str:
    return "" if 200 <= status < 300 else f"The receiver answered {status}."  # noqa: PLR2004 - 2xx


def _milliseconds_since(started: float) -> int:
    return round((perf_counter() - started) * 1000)
