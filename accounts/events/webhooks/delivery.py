"""Sending events to the webhook: signed, at least once, in spite of crashes on either side."""

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

from ...core.clock import now as read_clock
from ...core.db.ids import first_id
from ...core.db.leases import claim, held
from ...core.db.transactions import join, write
from ...core.outgoing import OutgoingError, TargetRefused, fetch
from ..conf import WebhookSettings, conf
from .models import Delivery

logger = logging.getLogger("authsvc.webhooks")

Status = Delivery.Status

BATCH = 8
"""How many are sent at once by a worker."""
LEASE = timedelta(minutes=5)
TIMEOUT_SECONDS = 15.0
RETRY_AFTER_MAX = timedelta(hours=24)
JITTER = 0.2
"""By how much of itself a pause may be longer, so that what failed together does not come back together."""
GONE = 410


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of an attempt: the receiver's status, None without an answer, and what went wrong in a few words.

    `is_refused` when it was us who would not call the target.
    """

    response_code: int | None
    error: str
    duration_ms: int
    retry_after: timedelta | None = None
    is_refused: bool = False

    @property
    def is_delivered(self) -> bool:
        """Tell whether the receiver took it: any 2xx, and nothing else. A redirect is not followed."""
        return self.response_code is not None and 200 <= self.response_code < 300  # noqa: PLR2004 - 2xx


class DeliverWebhooks:
    """Sends what is due, a few at once, so that a slow answer holds up no more than its own batch."""

    name = "webhooks"

    def next_due(self, now: datetime) -> datetime | None:
        if not conf().url:
            return None
        due: datetime | None = _waiting().aggregate(due=Min("next_attempt_at"))["due"]
        return due

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        settings = conf()
        in_flight = {"status": Status.IN_FLIGHT, "attempts": F("attempts") + 1}
        batch = claim(_waiting(), limit=BATCH, lease=LEASE, now=now, changes=in_flight)
        if not batch:
            return
        with ThreadPoolExecutor(len(batch)) as pool:
            attempts = {pool.submit(_attempt, row, settings): row for row in batch}
            for attempt in as_completed(attempts):
                _settle(attempts[attempt], attempt.result(), settings)


def send(*, message_id: str, payload: str, settings: WebhookSettings, now: datetime) -> Outcome:
    """Send the payload to the webhook once, and return what came of it."""
    body = payload.encode()
    started = perf_counter()
    try:
        answer = fetch(
            method="POST",
            url=settings.url,
            headers=headers_of(message_id=message_id, body=body, secrets=settings.secrets, now=now),
            body=body,
            timeout_seconds=TIMEOUT_SECONDS,
            max_bytes=None,
            allow_private=settings.allow_private,
        )
    except TargetRefused as error:
        return Outcome(response_code=None, error=f"Refused: {error}", duration_ms=_since(started), is_refused=True)
    except OutgoingError as error:
        return Outcome(response_code=None, error=str(error), duration_ms=_since(started))
    return Outcome(
        response_code=answer.status,
        error=_error_of(answer.status),
        duration_ms=_since(started),
        retry_after=read_retry_after(answer.headers, now=now, longest=RETRY_AFTER_MAX),
    )


def headers_of(*, message_id: str, body: bytes, secrets: tuple[bytes, ...], now: datetime) -> dict[str, str]:
    """Return the headers of Standard Webhooks 1.0: id, timestamp, and a `v1` signature by each secret."""
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
    """Return the pause that a Retry-After asks for, in seconds or as a date, `longest` at most; None for none."""
    text = headers.get("Retry-After", "").strip()
    if text.isascii() and text.isdigit():
        # Longer ones count no more, and a timedelta could not hold any number of digits.
        return min(timedelta(seconds=int(text[:9])), longest)
    try:
        until = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return min(max(until.replace(tzinfo=until.tzinfo or UTC) - now, timedelta()), longest)


def find_pause(*, attempts: int, schedule: tuple[int, ...]) -> timedelta | None:
    """Return how long the schedule waits after so many failed attempts, without jitter; None when that was the last."""
    return timedelta(seconds=schedule[attempts]) if attempts < len(schedule) else None


@write
def send_again(*, delivery: Delivery, now: datetime) -> bool:
    """Let a delivery be due now, one that is over from its first attempt on; False when it is just being sent.

    It keeps its id and bytes.
    """
    row = Delivery.objects.filter(pk=delivery.pk)
    over = row.filter(status__in=(Status.DELIVERED, Status.FAILED))
    return bool(
        over.update(status=Status.PENDING, attempts=0, next_attempt_at=now, delivered_at=None)
        or row.filter(status=Status.PENDING).update(next_attempt_at=now)
    )


@join
def forget_deliveries(*, user_id: str) -> None:
    """Delete the account's deliveries that are over; those under way are still owed to the receiver."""
    # The terms of the index that finds them.
    Delivery.objects.filter(Q(status=Status.DELIVERED) | Q(status=Status.FAILED), user_id=user_id).delete()


def doomed_deliveries(now: datetime) -> QuerySet[Delivery]:
    """Return the deliveries that are past their retention and over; without a webhook, none will ever be."""
    cutoff = now - timedelta(days=conf().retention_days)
    old = Delivery.objects.filter(pk__lt=first_id(cutoff), created_at__lt=cutoff)
    return old.filter(status__in=(Status.DELIVERED, Status.FAILED)) if conf().url else old


def _waiting() -> QuerySet[Delivery]:
    return Delivery.objects.filter(Q(status=Status.PENDING) | Q(status=Status.IN_FLIGHT))


def _attempt(row: Delivery, settings: WebhookSettings) -> Outcome:
    return send(message_id=str(row.event_id), payload=row.payload, settings=settings, now=read_clock())


@write
def _settle(row: Delivery, outcome: Outcome, settings: WebhookSettings) -> None:
    """Write down what came of the attempt, unless somebody else has taken the delivery over meanwhile."""
    now = read_clock()
    seen: dict[str, Any] = {
        "response_code": outcome.response_code,
        "error": outcome.error,
        "duration_ms": outcome.duration_ms,
    }
    if outcome.is_delivered:
        held(row).update(status=Status.DELIVERED, delivered_at=now, **seen)
        return
    pause = find_pause(attempts=row.attempts, schedule=settings.retry_seconds)
    traits = {"delivery_id": str(row.pk), "attempts": row.attempts, "reason": outcome.error}
    if pause is None or outcome.response_code == GONE:
        if held(row).update(status=Status.FAILED, **seen):
            logger.warning("a webhook was given up", extra=traits)
        return
    pause *= 1 + JITTER * secrets.randbelow(1000) / 1000
    # The receiver's own wish has a bound and is met to the second.
    next_attempt_at = now + max(pause, outcome.retry_after or timedelta())
    if held(row).update(status=Status.PENDING, next_attempt_at=next_attempt_at, **seen):
        logger.info("a webhook has to wait", extra=traits)


def _error_of(status: int) -> str:
    return "" if 200 <= status < 300 else f"The receiver answered {status}."  # noqa: PLR2004 - 2xx


def _since(started: float) -> int:
    return round((perf_counter() - started) * 1000)
