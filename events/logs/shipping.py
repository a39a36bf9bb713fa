"""A redacted copy of the log. The console shows the copy, and a collector can get it by OTLP/HTTP.

Writing a line never waits. The lines stay in memory, and a thread stores them once a second. A killed process therefore
loses the lines of at most about one second. While the database is unreachable, each process keeps the newest BUFFER_MAX
lines. A stored line is sent until the collector accepts the line or its retention ends.
"""

import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from multiprocessing.util import Finalize
from typing import Any

import orjson
from django.db import DatabaseError, InterfaceError, close_old_connections
from django.db.models import F, Min, QuerySet

from core import tracing
from core.clock import now as read_clock
from core.db.ids import first_id
from core.db.leases import claim, still_claimed
from core.db.outage import reason_of
from core.db.transactions import write
from core.errors import DbUnreachable, Overloaded
from core.http.access_log import request_id_of_context
from core.log_format import STANDARD
from core.outgoing import OutgoingError, fetch

from ..conf import ShippingSettings, shipping_settings
from ..webhooks.delivery import read_retry_after
from .models import ShippedLog
from .redaction import ALLOWED_FIELDS, redact

logger = logging.getLogger("authsvc.shipping")

BUFFER_MAX = 10_000
FLUSH_SECONDS = 1.0
FLUSH_BATCH = 500
MESSAGE_MAX = 200

SHIP_BATCH = 500
SHIP_BYTES = 512 * 1024
"""The largest total size of the lines of a batch. Collectors refuse much larger requests.

A batch always contains at least one line, even a larger one.
"""
LEASE = timedelta(minutes=5)
RETRY_DELAY = timedelta(seconds=10)
RETRY_AFTER_MAX = timedelta(hours=1)
TIMEOUT_SECONDS = 15.0

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warn": logging.WARNING, "error": logging.ERROR}
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SEVERITIES = {logging.DEBUG: 5, logging.INFO: 9, logging.WARNING: 13, logging.ERROR: 17}
"""The severity numbers of OpenTelemetry for DEBUG, INFO, WARN and ERROR."""


class ShippingHandler(logging.Handler):
    """Log handler that copies every line of the service, redacted, and stores the copies soon after."""

    def __init__(self, settings: ShippingSettings) -> None:
        super().__init__(level=LEVELS[settings.level])
        self._settings = settings
        self._lines: deque[ShippedLog] = deque(maxlen=BUFFER_MAX)
        self.storing = threading.Lock()
        self._process = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Copy the line, unless this module logged it. Storing lines can log a line, so the copies would never end."""
        if record.name == logger.name:
            return
        if self._process != os.getpid():
            # A forked process inherits the waiting lines, but not the thread. The parent stores those lines.
            self._process = os.getpid()
            self._lines.clear()
            threading.Thread(target=self._store_periodically, name="log shipping", daemon=True).start()
            # Finalize runs at the normal end of a process, also of a process that multiprocessing forked.
            Finalize(None, self._try_to_store, exitpriority=0)
        self._lines.append(copy_of(record, settings=self._settings))

    def flush(self) -> None:
        """Store the waiting lines. Lines that the database does not accept continue to wait."""
        # The lock is needed because at the end of a process the main thread stores lines too.
        with self.storing:
            while lines := [self._lines.popleft() for _ in range(min(FLUSH_BATCH, len(self._lines)))]:
                try:
                    _store(lines)
                except BaseException:
                    self._requeue(lines)
                    raise

    def _requeue(self, lines: Sequence[ShippedLog]) -> None:
        """Put the lines back at the front of the buffer. When the buffer is full, the oldest lines are lost."""
        for line in reversed(lines):
            if len(self._lines) < BUFFER_MAX:
                self._lines.appendleft(line)

    def _store_periodically(self) -> None:
        while True:
            time.sleep(FLUSH_SECONDS)
            self._try_to_store()

    def _try_to_store(self) -> None:
        try:
            self.flush()
        except (DatabaseError, InterfaceError, DbUnreachable, Overloaded) as error:
            logger.warning("the copy of the log cannot be stored right now", extra={"reason": reason_of(error)})
            close_old_connections()


def attach() -> None:
    """Start copying all later log lines of the service, if the settings turn the copy on."""
    service = logging.getLogger("authsvc")
    if shipping_settings().is_on and not any(isinstance(handler, ShippingHandler) for handler in service.handlers):
        handler = ShippingHandler(shipping_settings())
        service.addHandler(handler)
        # No fork may happen while lines are stored. Otherwise the child would inherit held locks, such as the writers'
        # turn, and no thread would release them.
        os.register_at_fork(
            before=handler.storing.acquire,
            after_in_parent=handler.storing.release,
            after_in_child=handler.storing.release,
        )


def copy_of(record: logging.LogRecord, *, settings: ShippingSettings) -> ShippedLog:
    """Return the row for a line: its message template from the code, without arguments, and its redacted fields."""
    fields = {name: value for name, value in vars(record).items() if name not in STANDARD and name in ALLOWED_FIELDS}
    if request_id := request_id_of_context.get():
        fields["request_id"] = request_id
    if trace_id := tracing.current_trace_id():
        fields["trace_id"] = trace_id
    if record.exc_info and record.exc_info[0]:
        # Only the type: the text of an exception may contain personal data.
        fields["exception_type"] = record.exc_info[0].__name__
    written_at = datetime.fromtimestamp(record.created, tz=UTC)
    hash_key = settings.hash_key if settings.redaction == "hash" else None
    return ShippedLog(
        level=max(level for level in LEVELS.values() if level <= max(record.levelno, logging.DEBUG)),
        message=str(record.msg)[:MESSAGE_MAX],
        fields=orjson.dumps(redact(fields, hash_key=hash_key), default=str).decode(),
        created_at=written_at,
        next_attempt_at=written_at,
        shipped_at=None if settings.endpoint else written_at,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """The reason why the collector refused lines, and the pause until the next attempt."""

    reason: str
    pause: timedelta


class ShipLogs:
    """Job that sends the stored lines to the collector, the oldest first.

    After a refusal all lines wait for the pause.
    """

    name = "log shipping"

    def __init__(self) -> None:
        self._resume_at: datetime | None = None

    def next_due(self, now: datetime) -> datetime | None:
        if not shipping_settings().endpoint:
            return None
        due: datetime | None = ShippedLog.objects.filter(shipped_at=None).aggregate(due=Min("next_attempt_at"))["due"]
        return max(due, self._resume_at) if due and self._resume_at else due

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        batch = claim(ShippedLog.objects.filter(shipped_at=None), limit=SHIP_BATCH, lease=LEASE, now=now)
        if not batch:
            return
        count = _count_fitting(batch)
        fitting, rest = batch[:count], batch[count:]
        if rest:
            # The lines return to the queue in their old order, before all newer lines.
            _update(rest, next_attempt_at=F("created_at"))
        refusal = _ship(fitting, shipping_settings())
        if refusal is None:
            _update(fitting, shipped_at=read_clock())
            return
        logger.warning("the log collector does not accept log lines right now", extra={"reason": refusal.reason})
        self._resume_at = read_clock() + refusal.pause
        _update(fitting, next_attempt_at=self._resume_at)


def otlp_body(rows: Sequence[ShippedLog]) -> bytes:
    """Return the rows as an ExportLogsServiceRequest in the JSON encoding of OTLP."""
    resource = {"attributes": _attributes({"service.name": "gatehouse"})}
    scopes = [{"scope": {"name": "authsvc"}, "logRecords": [_log_record(row) for row in rows]}]
    return orjson.dumps({"resourceLogs": [{"resource": resource, "scopeLogs": scopes}]})


def level_name(level: int) -> str:
    """Return the API's name for a level number of `logging`."""
    return next(name for name, number in LEVELS.items() if number == level)


def prunable_logs(now: datetime) -> QuerySet[ShippedLog]:
    """Return the shipped and unshipped lines that are past their retention."""
    cutoff = now - timedelta(days=shipping_settings().retention_days)
    return ShippedLog.objects.filter(pk__lt=first_id(cutoff), created_at__lt=cutoff)


def _count_fitting(rows: Sequence[ShippedLog]) -> int:
    """Return the number of first rows whose total size is at most SHIP_BYTES. It is at least 1."""
    sizes = accumulate(len(orjson.dumps(_log_record(row))) for row in rows)
    return max(1, sum(size <= SHIP_BYTES for size in sizes))


def _ship(rows: Sequence[ShippedLog], settings: ShippingSettings) -> Refusal | None:
    """Send the rows. Return None when the collector accepted them, and otherwise the refusal."""
    try:
        answer = fetch(
            method="POST",
            url=settings.endpoint,
            headers={"Content-Type": "application/json", **dict(settings.headers)},
            body=otlp_body(rows),
            timeout_seconds=TIMEOUT_SECONDS,
            max_bytes=None,
            # The operator chose the address, which may be in a private network.
            allow_private=True,
        )
    except OutgoingError as error:
        return Refusal(reason=str(error), pause=RETRY_DELAY)
    if 200 <= answer.status < 300:  # noqa: PLR2004 - 2xx
        return None
    pause = read_retry_after(answer.headers, now=read_clock(), longest=RETRY_AFTER_MAX) or RETRY_DELAY
    return Refusal(reason=f"The collector answered {answer.status}.", pause=max(pause, RETRY_DELAY))


@write
def _update(rows: Sequence[ShippedLog], **changes: Any) -> None:
    # One claim covers all rows, so they have the same `next_attempt_at`, which `still_claimed` checks.
    still_claimed(*rows).update(**changes)


@write
def _store(lines: Sequence[ShippedLog]) -> None:
    ShippedLog.objects.bulk_create(lines)


def _log_record(row: ShippedLog) -> dict[str, Any]:
    fields = orjson.loads(row.fields)
    # OTLP has a member of its own for the trace's id.
    trace = {"traceId": fields.pop("trace_id")} if "trace_id" in fields else {}
    return {
        "timeUnixNano": str((row.created_at - EPOCH) // timedelta(microseconds=1) * 1000),
        "severityNumber": _SEVERITIES[row.level],
        "severityText": level_name(row.level).upper(),
        "body": {"stringValue": row.message},
        "attributes": _attributes(fields),
        **trace,
    }


def _attributes(fields: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"key": name, "value": _value(value)} for name, value in fields.items() if value is not None]


def _value(value: Any) -> dict[str, Any]:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case list():
            return {"arrayValue": {"values": [_value(item) for item in value if item is not None]}}
        case dict():
            return {"kvlistValue": {"values": _attributes(value)}}
    return {"stringValue": str(value)}
