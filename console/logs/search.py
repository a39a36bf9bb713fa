"""The search of the redacted copy of the log. A page costs the same on any number of lines."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from django.db.models import Q, Value
from django.db.models.functions import Coalesce

from core.db.ids import first_id, made_at
from events.logs.columns import RequestIdOf, RouteOf
from events.logs.models import ShippedLog
from events.logs.shipping import LEVELS, level_name

from ..lists.cursors import each_of_pages, read_cursor
from ..lists.scans import Scanned, scan
from .history import ListedLog, show_line

SCANNED_MAX = 20_000
"""The number of lines that a page reads at most. The page states how far back it read."""
INDEXED_LEVELS = ("warn", "error")


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFilters:
    """The conditions on the listed lines. None means no condition.

    `text` is a part of a line, and `route` a part of a route. `without` is the beginning of routes whose requests are not
    listed, unless `request_id` asks for one of them.
    """

    level: str | None = None
    request_id: str | None = None
    route: str | None = None
    text: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    without: str | None = None

    @classmethod
    def of(cls, query: Mapping[str, Any], *, own_routes: str) -> "LogFilters":
        """Return the conditions in the validated query of a search. `own_routes` begins the routes of the console."""
        names = ("level", "request_id", "route", "text", "since", "until")
        return cls(**{name: query[name] for name in names}, without=None if query["own"] else own_routes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of the log. `fields` are its other fields."""

    id: UUID
    at: datetime
    level: str
    message: str
    request_id: str
    fields: Mapping[str, Any]
    is_waiting: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LogPage:
    """A page of lines, the newest first. `back_to` is the time to which the search read, when its limit ended it."""

    lines: Sequence[Line]
    next_cursor: str | None
    back_to: datetime | None


def search_logs(*, filters: LogFilters, cursor: str | None, limit: int) -> LogPage:
    """Return the page after the cursor; the first page without one. Raises BadRequest when it is not a cursor."""
    found = _search(filters, cursor=cursor, limit=limit)
    return LogPage(
        lines=[_line(row) for row in found.rows],
        next_cursor=str(found.next) if found.next else None,
        back_to=found.back_to,
    )


def each_line(*, filters: LogFilters, batch: int) -> Iterator[ListedLog]:
    """Return all lines that match, the newest first, as the API lists them."""

    def read(cursor: str | None) -> tuple[Iterator[ListedLog], str | None]:
        found = _search(filters, cursor=cursor, limit=batch)
        return map(show_line, found.rows), str(found.next) if found.next else None

    return each_of_pages(read)


def _search(filters: LogFilters, *, cursor: str | None, limit: int) -> Scanned[ShippedLog]:
    rows = ShippedLog.objects.alias(of_request=RequestIdOf("fields"), of_route=Coalesce(RouteOf("fields"), Value("")))
    if filters.request_id is not None:
        rows = rows.filter(of_request=filters.request_id)
    elif filters.level in INDEXED_LEVELS:
        rows = rows.filter(level__gte=LEVELS[filters.level])
    if filters.since is not None:
        rows = rows.filter(pk__gte=first_id(filters.since))
    if filters.until is not None:
        rows = rows.filter(pk__lt=first_id(filters.until))
    return scan(
        rows,
        matching=_matching(filters),
        after=read_cursor(cursor) if cursor is not None else None,
        limit=limit,
        most=SCANNED_MAX,
    )


def _matching(filters: LogFilters) -> Q:
    """Return the conditions that no index serves."""
    found = Q()
    if filters.level is not None:
        found &= Q(level__gte=LEVELS[filters.level])
    if filters.route is not None:
        found &= Q(of_route__icontains=filters.route)
    if filters.text is not None:
        found &= Q(message__icontains=filters.text) | Q(fields__icontains=filters.text)
    if filters.without is not None and filters.request_id is None:
        found &= ~Q(of_route__startswith=filters.without)
    return found


def _line(row: ShippedLog) -> Line:
    fields = orjson.loads(row.fields)
    return Line(
        id=row.pk,
        at=made_at(row.pk),
        level=level_name(row.level),
        message=row.message,
        request_id=str(fields.pop("request_id", "")),
        fields=fields,
        is_waiting=row.shipped_at is None,
    )
