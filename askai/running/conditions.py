"""The conditions of a plan's filters, as a part of a statement."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from psycopg import sql

from accounts.host import users

from ..plans.entities import Entity
from ..plans.periods import Period, Span, resolve
from ..plans.plan import Choice, Filters, PlanInvalid, Which
from .records import own_records
from .scope import Scope


def moment_of(filters: Filters) -> str:
    """Return the column with the time of a record."""
    return "ended_at" if filters.by_end else "created_at"


def local_time(filters: Filters) -> str:
    """Return the local time of a record, as SQL."""
    return f"({moment_of(filters)} AT TIME ZONE %(zone)s::text)"


class Conditions:
    """The caller's records that meet the filters, except those about devices and places.

    Raises PlanInvalid when the period of the filters contains no moment.
    """

    def __init__(self, entity: Entity, filters: Filters, *, scope: Scope) -> None:
        self.filters = filters
        self._entity = entity
        self._scope = scope
        self.span = span = span_of(filters.period, scope=scope) if filters.period else Span()
        conditions = [sql.SQL(text) for text in _conditions(filters, span)]
        self.source: sql.Composable = sql.SQL(" FROM ({own}) AS own WHERE {conditions}").format(
            own=own_records(entity, state=filters.state), conditions=sql.SQL(" AND ").join(conditions)
        )
        addresses, networks = _split(filters.ips)
        first, last = filters.hours or (0, 0)
        self.parameters: Mapping[str, Any] = {
            "user_id": scope.user_id,
            "account_id": users.to_account_id(scope.user_id),
            "family_id": scope.family_id,
            "now": scope.now,
            "zone": scope.zone.key,
            "week_shift": -scope.week_start % 7,
            "types": [str(value) for value in filters.types.values] if filters.types else [],
            "addresses": addresses,
            "networks": networks,
            "since": span.since,
            "until": span.until,
            "first_hour": first,
            "last_hour": last,
            "weekdays": sorted(filters.weekdays),
        }

    def during(self, period: Period) -> "Conditions":
        """Return the same conditions with another period."""
        return Conditions(self._entity, replace(self.filters, period=period), scope=self._scope)


def span_of(period: Period, *, scope: Scope) -> Span:
    """Return the span of the period. Raises PlanInvalid when it contains no moment."""
    try:
        span = resolve(period, now=scope.now, zone=scope.zone, week_start=scope.week_start)
    except (ValueError, OverflowError):
        raise PlanInvalid from None
    if span.since is not None and span.until is not None and span.since >= span.until:
        raise PlanInvalid
    return span


def _conditions(filters: Filters, span: Span) -> Iterator[str]:
    yield "TRUE"
    if filters.types is not None:
        yield _unless("type = ANY(%(types)s)", filters.types)
    if filters.ips is not None:
        # Records of a deleted account and some sessions have no address.
        networks = "EXISTS (SELECT FROM unnest(%(networks)s::inet[]) AS n WHERE NULLIF(ip, '')::inet <<= n)"
        yield _unless(f"(ip = ANY(%(addresses)s) OR {networks})", filters.ips)
    if span.since is not None:
        yield f"{moment_of(filters)} >= %(since)s"
    if span.until is not None:
        yield f"{moment_of(filters)} < %(until)s"
    if filters.hours is not None:
        first, last = filters.hours
        hour = f"EXTRACT(HOUR FROM {local_time(filters)})"
        joint = "AND" if first < last else "OR"
        yield f"({hour} >= %(first_hour)s {joint} {hour} < %(last_hour)s)"
    if filters.weekdays:
        yield f"EXTRACT(ISODOW FROM {local_time(filters)})::int - 1 = ANY(%(weekdays)s)"
    if filters.which is Which.THIS:
        yield "tie = %(family_id)s"
    if filters.which is Which.OTHERS:
        yield "tie IS DISTINCT FROM %(family_id)s"


def _unless(condition: str, choice: Choice[Any]) -> str:
    return f"NOT {condition}" if choice.is_not else condition


def _split(ips: Choice[str] | None) -> tuple[list[str], list[str]]:
    """Return the addresses and the networks."""
    values = ips.values if ips else ()
    return [value for value in values if "/" not in value], [value for value in values if "/" in value]
