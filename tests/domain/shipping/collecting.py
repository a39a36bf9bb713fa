"""Shared parts of the log shipping tests: logged lines, and a collector."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from events.conf import shipping_settings
from events.logs.models import ShippedLog
from events.logs.shipping import ShipLogs, ShippingHandler
from tests.loopback import Peer, Talk, serving

NOW = datetime(2026, 11, 21, 3, 44, 29, 123457, tzinfo=UTC)
SECOND = timedelta(seconds=1)
NOWHERE = "http://collector.example.invalid"

UseShipping = Callable[..., None]


@contextmanager
def copying(*, level: int = logging.DEBUG) -> Iterator[ShippingHandler]:
    """Copy every line that the service logs during the block, as LOG_SHIPPING demands."""
    handler = ShippingHandler(shipping_settings())
    service = logging.getLogger("authsvc")
    before = service.level
    service.addHandler(handler)
    service.setLevel(level)
    try:
        yield handler
    finally:
        service.setLevel(before)
        service.removeHandler(handler)
        # The exit of this process would store the remaining lines.
        handler._lines.clear()


def log(message: str = "request", *, level: int = logging.INFO, name: str = "access", **extra: Any) -> None:
    logging.getLogger(f"authsvc.{name}").log(level, message, extra=extra)


def stored() -> list[ShippedLog]:
    return list(ShippedLog.objects.order_by("id"))


def fields_of(row: ShippedLog) -> Any:
    return orjson.loads(row.fields)


def copy(message: str = "request", **how: Any) -> ShippedLog:
    """Log a line and return its copy."""
    with copying() as handler:
        log(message, **how)
        handler.flush()
    return stored()[-1]


def ship(now: datetime = NOW) -> None:
    ShipLogs().run(now, lambda: False)


def ship_to(talk: Talk, use_shipping: UseShipping, **variables: str) -> Peer:
    """Ship the due lines to a collector that answers in the given way."""
    with serving(talk) as peer:
        use_shipping(peer.url(""), **variables)
        ship()
    return peer


def records_in(body: bytes) -> list[dict[str, Any]]:
    (resource,) = orjson.loads(body)["resourceLogs"]
    (scope,) = resource["scopeLogs"]
    return list(scope["logRecords"])
