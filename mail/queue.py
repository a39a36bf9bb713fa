"""The queue of mails, and the job that sends them. A mail is sent at least once, unless it expires or is refused."""

import logging
from collections import deque
from collections.abc import Callable
from datetime import datetime, timedelta
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import orjson
from django.conf import settings as django_settings
from django.db.models import Min

from core.addresses import normalize_email
from core.clock import now as read_clock
from core.conf import core_settings
from core.db.leases import claim, still_claimed
from core.db.transactions import transaction_required, write
from core.keys.sealing import (
    Unsealable,
    derived_keys,
    seal,
    unseal,
)

from .conf import settings
from .models import OutgoingMail
from .transports import (
    Letter,
    NotSent,
    Refused,
    Transport,
    Unavailable,
    open_transport,
)

logger = logging.getLogger("authsvc.mail")

NO_RECIPIENT = ""
"""The recipient of a mail that the worker drops instead of sending.

A request that must not send a mail queues such a mail. Its response time then equals that of a request with a mail.
"""

BATCH = 10
LEASE = timedelta(minutes=2)
BATCH_TIME = timedelta(seconds=10)
"""After this time the job starts no further mail of a batch.

The job must end before the lease ends, and another worker can send the remaining mails.
"""

RETRY_DELAYS = tuple(timedelta(seconds=seconds) for seconds in (5, 30, 120, 600, 1800))
"""The time from a failed attempt to the next. The last delay repeats."""


@transaction_required
def put(*, letter: Letter, template: str, account_id: Any | None, expires_at: datetime) -> None:
    """Queue the letter. A worker sends it after the transaction commits."""
    OutgoingMail.objects.create(
        id=letter.id,
        account_id=account_id,
        template=template,
        sealed=seal(orjson.dumps(letter), keys=_keys(), context=_context(letter.id)),
        created_at=letter.written_at,
        expires_at=expires_at,
        next_attempt_at=letter.written_at,
    )


class DeliverMails:
    """Job that sends the queued mails. It sends each batch over one connection.

    The job retries a mail that failed until the mail expires. It deletes a mail after sending it. When a worker dies
    between the two steps, a worker sends the mail again. No mail is lost.
    """

    name = "mails"

    def next_due(self, now: datetime) -> datetime | None:
        due: datetime | None = OutgoingMail.objects.aggregate(due=Min("next_attempt_at"))["due"]
        return due

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        batch = deque(claim(OutgoingMail.objects.all(), limit=BATCH, lease=LEASE, now=now))
        try:
            with open_transport(
                url=settings().email_url, sender=_sender(), shows_tokens=django_settings.DEBUG
            ) as transport:
                _send_batch(batch, transport=transport, stop=stop)
        except Unavailable as reason:
            logger.warning("mails cannot be sent right now", extra={"reason": str(reason)})
            for row in batch:
                _postpone(row, reason=str(reason))
        else:
            for row in batch:
                _update(row, next_attempt_at=read_clock())


def check_transport() -> None:
    """Return when the transport of EMAIL_URL can be used now. Raises Unavailable otherwise. The call sends nothing."""
    with open_transport(url=settings().email_url, sender=_sender(), shows_tokens=False):
        pass


def _send_batch(batch: deque[OutgoingMail], *, transport: Transport, stop: Callable[[], bool]) -> None:
    """Send mails and remove them from the batch. The mails that remain in the batch were not tried."""
    end = read_clock() + BATCH_TIME
    while batch and not stop() and read_clock() < end:
        row = batch.popleft()
        try:
            letter = _open(row)
            if letter.to != NO_RECIPIENT:
                transport.send(letter)
        except Refused as reason:
            _discard(row, reason=str(reason))
        except NotSent as reason:
            _postpone(row, reason=str(reason))
            if isinstance(reason, Unavailable):
                logger.warning("mails cannot be sent right now", extra={"reason": str(reason)})
                return
        except Exception as error:  # noqa: BLE001 - one mail must not block all others
            # The text of the exception is left out, because it may contain the address.
            _postpone(row, reason=type(error).__name__)
        else:
            _delete(row)


def _open(row: OutgoingMail) -> Letter:
    """Return the letter in the row. Raises Refused when it expired, cannot be decrypted, or has no valid recipient."""
    if row.expires_at <= read_clock():
        raise Refused("The mail expired.")
    try:
        content = orjson.loads(unseal(row.sealed, keys=_keys(), context=_context(row.pk)))
    except Unsealable:
        raise Refused("The mail cannot be decrypted: SECRET_KEY changed, or the row was manipulated.") from None
    letter = Letter(**{**content, "id": row.pk, "written_at": row.created_at})
    if letter.to != NO_RECIPIENT and normalize_email(letter.to) is None:
        raise Refused("The recipient is not a valid e-mail address.")
    return letter


def _postpone(row: OutgoingMail, *, reason: str) -> None:
    next_attempt_at = read_clock() + RETRY_DELAYS[min(row.attempts, len(RETRY_DELAYS) - 1)]
    if next_attempt_at >= row.expires_at:
        _discard(row, reason=reason)
        return
    logger.info("a mail was not sent and will be tried again", extra=_log_fields(row, reason=reason))
    _update(row, attempts=row.attempts + 1, next_attempt_at=next_attempt_at)


def _discard(row: OutgoingMail, *, reason: str) -> None:
    logger.warning("a mail was not sent and will not be tried again", extra=_log_fields(row, reason=reason))
    _delete(row)


def _log_fields(row: OutgoingMail, *, reason: str) -> dict[str, Any]:
    """Return the log fields of a mail. They contain no address and no content of the mail."""
    return {"mail_id": str(row.pk), "template": row.template, "attempts": row.attempts, "reason": reason}


@write
def _update(row: OutgoingMail, **changes: Any) -> None:
    still_claimed(row).update(**changes)


@write
def _delete(row: OutgoingMail) -> None:
    still_claimed(row).delete()


def _keys() -> tuple[bytes, ...]:
    return derived_keys(purpose="mail")


def _context(mail_id: UUID) -> str:
    return f"mail {mail_id}"


def _sender() -> str:
    if settings().email_from:
        return settings().email_from
    host = urlsplit(core_settings().base_url).hostname or ""
    try:
        ip_address(host)
    except ValueError:
        return f"no-reply@{host}"
    # An IP address cannot be the domain of a mail address.
    return "no-reply@localhost"
