"""The meter for Prometheus. All processes of a service count in files of one directory.

The environment variable PROMETHEUS_MULTIPROC_DIR must name the directory before the first import of this module. The
library decides at its import where it counts.
"""

from functools import cache

from django.db import transaction
from prometheus_client import Counter, Gauge, Histogram

from core.meter import Meter
from events.vocabulary import EventType

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
"""The upper bounds in seconds. A verification takes under a millisecond, and a login 30 to 2,500 ms."""

UNKNOWN_PATH = "none"
"""The route of a request whose path matches no route."""

_METHOD_NOT_ALLOWED = 405


class PrometheusMeter(Meter):
    """Counts in metrics of Prometheus. Create it once, before the first fork.

    No label contains text of a caller: routes are templates, and a method counts only where the route has it.
    """

    def __init__(self) -> None:
        requests = Counter(
            "gatehouse_http_requests", "Answered requests, by route and status.", ["method", "route", "status"]
        )
        durations = Histogram(
            "gatehouse_http_request_duration_seconds", "Time to answer a request.", ["method", "route"], buckets=BUCKETS
        )
        events = Counter("gatehouse_events", "Audit events that were recorded, by type.", ["type"])
        hashes = Gauge(
            "gatehouse_password_hashes",
            "Password hashes that wait for their turn, and that are computed.",
            ["state"],
            multiprocess_mode="livesum",
        )
        # A lookup of labels takes longer than the count itself.
        self._request = cache(requests.labels)
        self._duration = cache(durations.labels)
        # Each type begins at 0. Otherwise a rate would miss the first event of a type.
        self._events = {str(event): events.labels(str(event)) for event in EventType}
        self._waiting, self._running = hashes.labels("waiting"), hashes.labels("running")
        self._refused = Counter("gatehouse_password_hashes_refused", "Password hashes that were refused.")

    def count_request(self, *, method: str, route: str, status: int, seconds: float) -> None:
        # A caller can send every method to every route, and each pair of labels takes memory.
        if status == _METHOD_NOT_ALLOWED:
            method = "other"
        self._request(method, route or UNKNOWN_PATH, status).inc()
        self._duration(method, route or UNKNOWN_PATH).observe(seconds)

    def count_event(self, *, type_: str) -> None:
        # A count that fails, for example on a full disk, must not fail the request whose changes are committed.
        transaction.on_commit(self._events[type_].inc, robust=True)

    def add_hashes(self, *, waiting: int = 0, running: int = 0) -> None:
        for gauge, change in ((self._waiting, waiting), (self._running, running)):
            if change:
                gauge.inc(change)

    def count_refused_hash(self) -> None:
        self._refused.inc()
