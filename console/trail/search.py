"""The search of audit events. A page costs the same on any number of events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import Annotated, Any, ClassVar
from uuid import UUID

from django.db.models import Q, QuerySet

from core.db.ids import first_id, made_at
from core.http.answers import Described
from core.http.examples import MOMENT, USER_ID
from events.models import Event
from events.networks import in_network_of, within
from events.vocabulary import EventType

from ..examples import EVENT_ID
from ..lists.cursors import Position, older_than, read_cursor

SCANNED_MAX = 5_000
"""The number of events that a page reads at most. A page without enough matches among them stays short."""
RECORDING_TIME = timedelta(minutes=1)
"""The longest time between the start of a request, which `created_at` states, and the making of its event's id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFilters:
    """The conditions on the listed events. None means no condition.

    `login_method` is the method of a login, or `provider:` and the name of a provider. Without `type` it lists completed logins.
    """

    type: str | None = None
    user: str | None = None
    ip: str | None = None
    network: str | None = None
    login_method: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    @classmethod
    def of(cls, query: Mapping[str, Any]) -> "EventFilters":
        """Return the conditions in the validated query of a search."""
        return cls(
            **{name: query[name] for name in ("type", "user", "ip", "network", "login_method", "since", "until")}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedEvent:
    """An audit event. `ip` and `user_agent` are blank when they are unknown, or when the account was deleted."""

    component: ClassVar = "Event"
    example: ClassVar = {
        "id": EVENT_ID,
        "type": "login_failed",
        "user_id": USER_ID,
        "ip": "203.0.113.7",
        "user_agent": "curl/8.0",
        "metadata": {"reason": "wrong_password"},
        "created_at": MOMENT,
    }

    id: UUID
    type: str
    user_id: str | None
    ip: str
    user_agent: str
    metadata: Mapping[str, Any]
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPage:
    """A page of audit events, the newest first."""

    example: ClassVar = {"events": [ListedEvent.example], "limit": 50, "next_cursor": None}

    events: Sequence[ListedEvent]
    limit: int
    next_cursor: Annotated[str | None, Described("The `cursor` of the next page. Null on the last page.")]


def search_events(*, filters: EventFilters, cursor: str | None, limit: int) -> EventPage:
    """Return the page after the cursor; the first page without one. Raises BadRequest when it is not a cursor."""
    after = read_cursor(cursor) if cursor is not None else None
    if filters.login_method is not None and filters.type is None:
        filters = replace(filters, type=EventType.LOGIN_SUCCESS)
    if filters.type is not None and (filters.user, filters.ip, filters.network) == (None, None, None):
        rows, end = _of_type(filters, after)
    else:
        rows, end = _by_id(filters, after)
        rows = _in_span(rows, filters)
    found = list(rows[: limit + 1])
    if len(found) > limit:
        end = Position.of(found[limit - 1])
    return EventPage(events=[_event(row) for row in found[:limit]], limit=limit, next_cursor=str(end) if end else None)


def _in_span(rows: QuerySet[Event], filters: EventFilters) -> QuerySet[Event]:
    if filters.since is not None:
        rows = rows.filter(created_at__gte=filters.since)
    return rows if filters.until is None else rows.filter(created_at__lt=filters.until)


def _of_type(filters: EventFilters, after: Position | None) -> tuple[QuerySet[Event], Position | None]:
    """Return the events of the type, and the position at which a limited scan for a method ended.

    They have the order of their time, because the index of types has this order.
    """
    rows = _in_span(Event.objects.filter(type=filters.type).order_by("-created_at", "-id"), filters)
    rows = older_than(rows, after)
    if filters.login_method is None:
        return rows, None
    last = rows[SCANNED_MAX - 1 : SCANNED_MAX].first()
    if last is not None:
        rows = rows.filter(created_at__gte=last.created_at).filter(
            Q(created_at__gt=last.created_at) | Q(pk__gte=last.pk)
        )
    return _by_method(rows, filters.login_method), Position.of(last) if last else None


def _by_method(rows: QuerySet[Event], method: str) -> QuerySet[Event]:
    name, _, provider = method.partition(":")
    return rows.filter(metadata__provider=provider) if provider else rows.filter(metadata__method=name)


def _by_id(filters: EventFilters, after: Position | None) -> tuple[QuerySet[Event], Position | None]:
    """Return the matching events in the order of their ids, and the position at which a limited scan ended.

    One filter selects the index. The others apply to SCANNED_MAX events of it.
    """
    rows = _of_index(filters).order_by("-id")
    if filters.since is not None:
        rows = rows.filter(id__gte=first_id(filters.since - RECORDING_TIME))
    if filters.until is not None:
        rows = rows.filter(id__lt=first_id(filters.until + RECORDING_TIME))
    if after is not None:
        rows = rows.filter(id__lt=after.id)
    last = rows.values_list("id", flat=True)[SCANNED_MAX - 1 : SCANNED_MAX].first()
    if last is not None:
        rows = rows.filter(id__gte=last)
    if filters.type is not None:
        rows = rows.filter(type=filters.type)
    if filters.ip is not None:
        rows = rows.filter(ip=filters.ip)
    if filters.login_method is not None:
        rows = _by_method(rows, filters.login_method)
    if filters.network is not None:
        rows = within(rows, ip_network(filters.network))
    return rows, Position(created_at=made_at(last), id=last) if last else None


def _of_index(filters: EventFilters) -> QuerySet[Event]:
    """Return the events of one filter: of the user, else of the IP address, else of the network, else all events."""
    if filters.user is not None:
        return Event.objects.filter(user_id=filters.user)
    if filters.ip is not None:
        return Event.objects.filter(ip=filters.ip)
    if filters.network is not None:
        return in_network_of(Event.objects.all(), ip_network(filters.network))
    return Event.objects.all()


def _event(row: Event) -> ListedEvent:
    return ListedEvent(
        id=row.pk,
        type=row.type,
        user_id=row.user_id,
        ip=row.ip,
        user_agent=row.user_agent,
        metadata=row.metadata,
        created_at=row.created_at,
    )
