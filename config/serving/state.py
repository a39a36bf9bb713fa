"""The state of the deployment for Prometheus, which a scrape reads from the database, the keys and the kernel."""

import logging
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, InterfaceError, connection
from django.db.models import Count, Min, QuerySet
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from accounts.ops.heartbeat import find_last_beat
from core.clock import now as read_clock
from core.db import sql
from core.db.outage import reason_of
from core.keys import ring
from events.webhooks.delivery import unfinished_deliveries
from mail.models import OutgoingMail

logger = logging.getLogger("authsvc.metrics")

CACHE_SECONDS = 5.0
"""The time for which a scrape gets the state of an earlier scrape. Several Prometheus servers may scrape."""

COUNTED_MAX = 10_000
"""The number at which the counts of waiting rows stop. So a long queue does not slow a scrape."""

_ESTABLISHED = "01"
"""The state of an open TCP connection in /proc/net/tcp."""

_CONNECTIONS = """
    SELECT count(*), current_setting('max_connections')::integer FROM pg_stat_activity
    WHERE datname = current_database()
"""


class State(Collector):
    """The state at a scrape, at most CACHE_SECONDS old. One thread uses the object.

    `port` is the port at which the service answers requests.
    """

    def __init__(self, *, port: int) -> None:
        self._port = port
        self._read_at = -CACHE_SECONDS
        self._families: list[GaugeMetricFamily] = []

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the metrics. The metrics of a source that does not answer are left out."""
        if monotonic() - self._read_at >= CACHE_SECONDS:
            now = read_clock()
            self._families = [*_of_database(now), *_of_keys(now), *_of_connections(self._port)]
            self._read_at = monotonic()
        yield from self._families


def _of_database(now: datetime) -> list[GaugeMetricFamily]:
    up = "gatehouse_database_up", "Whether the database answered the last scrape: 1 or 0."
    try:
        found = [
            *_backlog("gatehouse_mails", "mails", OutgoingMail.objects.all(), now=now),
            *_backlog("gatehouse_webhook_deliveries", "webhook deliveries", unfinished_deliveries(), now=now),
        ]
        if connection.vendor == "postgresql":
            used, most = sql.fetch_all(_CONNECTIONS, ())[0]
            found += [
                _gauge("gatehouse_database_connections", "Connections to the database, of all its clients.", used),
                _gauge("gatehouse_database_connections_max", "Connections that PostgreSQL allows.", most),
            ]
    except (DatabaseError, InterfaceError) as error:
        connection.close()
        logger.warning("the database does not answer a scrape", extra={"reason": reason_of(error)})
        return [_gauge(*up, 0)]
    return [_gauge(*up, 1), *found, *_of_worker()]


def _of_worker() -> list[GaugeMetricFamily]:
    try:
        beat = find_last_beat()
    except (DatabaseError, InterfaceError):
        # During an upgrade, an instance of this release can run before the migration that adds the table.
        return []
    text = "Time of the last heartbeat of a background worker, in seconds since 1970."
    return [_gauge("gatehouse_worker_last_seen_timestamp_seconds", text, beat.timestamp())] if beat else []


def _backlog(prefix: str, noun: str, rows: QuerySet[Any], *, now: datetime) -> list[GaugeMetricFamily]:
    """Return the number of the unfinished rows, and the age of the oldest of them in seconds."""
    # The order follows the index, so the statement reads no finished row.
    first = rows.order_by("next_attempt_at")[:COUNTED_MAX]
    found = first.aggregate(count=Count("pk"), oldest=Min("created_at"))
    age = (now - found["oldest"]).total_seconds() if found["oldest"] else 0.0
    return [
        _gauge(f"{prefix}_waiting", f"Unsent {noun}. The count stops at {COUNTED_MAX:,}.", found["count"]),
        _gauge(f"{prefix}_oldest_age_seconds", f"Age of the oldest of the unsent {noun}, or 0.", max(age, 0.0)),
    ]


def _of_keys(now: datetime) -> list[GaugeMetricFamily]:
    try:
        active = ring.recheck_ring(now=now).active_key(now=now)
    except ImproperlyConfigured:
        # Each process that signs logs the reason.
        return []
    age = (now - active.active_at).total_seconds()
    return [_gauge("gatehouse_signing_key_age_seconds", "Time since the active key began to sign.", max(age, 0.0))]


def _of_connections(port: int) -> list[GaugeMetricFamily]:
    try:
        lines = [line for name in ("tcp", "tcp6") for line in _read_sockets(name)]
    except FileNotFoundError:
        # Only Linux has these files.
        return []
    here = f":{port:04X}"
    count = sum(local.endswith(here) and state == _ESTABLISHED for _, local, _, state, *_ in lines)
    return [_gauge("gatehouse_http_connections", "Open connections to the port of the service.", count)]


def _read_sockets(name: str) -> list[list[str]]:
    return [line.split() for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, text, value=value)
