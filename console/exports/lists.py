"""Lists as CSV (RFC 4180), which an operator opens in a spreadsheet."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from itertools import islice
from typing import Any
from uuid import UUID

from core.clock import rfc3339
from core.db.transactions import write
from core.http.answers import ABSENT, dump
from core.http.client import Client
from events.vocabulary import EventType

from ..deliveries.history import ListedDelivery
from ..deliveries.search import DeliveryFilters, each_delivery
from ..lists.cursors import Position, each_of_pages
from ..logs.history import ListedLog
from ..logs.search import LogFilters, each_line
from ..operators.acts import record_act
from ..people.conditions import UserFilters
from ..people.positions import Sort
from ..people.search import FoundUser, search_users
from ..reviews.queue import FlaggedEvent, Status, list_flagged_after
from ..trail.search import EventFilters, ListedEvent, search_events

BATCH = 500
"""The number of rows that an export holds in memory."""

_SIGN = r"[=+\-@\uff1d\uff0b\uff0d\uff20]"
"""The signs that start a formula. A spreadsheet also runs the full-width ones, which Japanese and Chinese users type."""
_FORMULA = re.compile(rf"""\A(?={_SIGN}|[\t\r])|(?<=[;\t\r\n])["'\s]*(?={_SIGN})""")
"""The place before a formula, which a spreadsheet may run. Users choose some cells, such as their addresses.

A formula stands at the start of a cell. Some spreadsheets separate cells at semicolons or at tabs. They see several
cells inside one cell of the file, and ignore the quotation marks around it. At a comma, every spreadsheet respects the
quotation marks.
"""


def export_events(*, filters: EventFilters, operator_id: str, client: Client, now: datetime) -> Iterator[str]:
    """Record the export, and return the CSV of the matching events, the newest first, in parts.

    The other functions of this module do the same for their lists. Each line ends with CR LF. The first line is a
    header with the names of the API's members. Opens a transaction for the act. Each part reads BATCH rows more, so an
    export of any length needs the same memory.
    """
    used = {field.name: getattr(filters, field.name) for field in fields(filters)}
    _record("events", used, operator_id=operator_id, client=client, now=now)
    return _parts(ListedEvent, _events(filters))


def export_users(*, filters: UserFilters, sort: Sort, operator_id: str, client: Client, now: datetime) -> Iterator[str]:
    """Record the export, and return the CSV of the matching users in this order."""
    used = {field.name: getattr(filters, field.name) or None for field in fields(filters)}
    _record("users", used, operator_id=operator_id, client=client, now=now)
    return _parts(FoundUser, _users(filters, sort, now))


def export_reviews(*, status: Status | None, operator_id: str, client: Client, now: datetime) -> Iterator[str]:
    """Record the export, and return the CSV of the flagged events with this status and their reviews."""
    _record("anomalies", {"status": status}, operator_id=operator_id, client=client, now=now)
    return _parts(FlaggedEvent, _reviews(status))


def export_deliveries(*, filters: DeliveryFilters, operator_id: str, client: Client, now: datetime) -> Iterator[str]:
    """Record the export, and return the CSV of the matching deliveries, the newest first."""
    _record("deliveries", asdict(filters), operator_id=operator_id, client=client, now=now)
    return _parts(ListedDelivery, each_delivery(filters=filters, batch=BATCH))


def export_shipped_logs(*, filters: LogFilters, operator_id: str, client: Client, now: datetime) -> Iterator[str]:
    """Record the export, and return the CSV of the matching lines of the log, the newest first."""
    _record("logs", asdict(filters), operator_id=operator_id, client=client, now=now)
    return _parts(ListedLog, each_line(filters=filters, batch=BATCH))


def export_rows(
    *, name: str, row_type: Any, rows: Iterator[Any], operator_id: str, client: Client, now: datetime
) -> Iterator[str]:
    """Record the export of the list with this name, and return its CSV. `row_type` is the dataclass of the rows."""
    _record(name, {}, operator_id=operator_id, client=client, now=now)
    return _parts(row_type, rows)


@write
def _record(name: str, filters: Mapping[str, Any], *, operator_id: str, client: Client, now: datetime) -> None:
    # Only the names: a value may be an IP address, and the metadata of an event contain no address.
    used = sorted(key for key, value in filters.items() if value is not None)
    metadata = {"list": name, "filters": used}
    record_act(act=EventType.OPERATOR_EXPORTED, operator_id=operator_id, client=client, now=now, metadata=metadata)


def _events(filters: EventFilters) -> Iterator[ListedEvent]:
    def read(cursor: str | None) -> tuple[Sequence[ListedEvent], str | None]:
        page = search_events(filters=filters, cursor=cursor, limit=BATCH)
        return page.events, page.next_cursor

    return each_of_pages(read)


def _users(filters: UserFilters, sort: Sort, now: datetime) -> Iterator[FoundUser]:
    def read(cursor: str | None) -> tuple[Sequence[FoundUser], str | None]:
        page = search_users(filters=filters, sort=sort, cursor=cursor, limit=BATCH, now=now)
        return page.users, page.next_cursor

    return each_of_pages(read)


def _reviews(status: Status | None) -> Iterator[FlaggedEvent]:
    page = list_flagged_after(status=status, position=None, limit=BATCH)
    while page:
        yield from page
        position = Position(created_at=page[-1].created_at, id=page[-1].id)
        page = list_flagged_after(status=status, position=position, limit=BATCH)


def _parts(row_type: Any, rows: Iterator[Any]) -> Iterator[str]:
    names = [field.name for field in fields(row_type)]
    lines: list[list[str]] = [names]
    while lines:
        buffer = io.StringIO()
        csv.writer(buffer).writerows(lines)
        yield buffer.getvalue()
        lines = [[_cell(getattr(row, name)) for name in names] for row in islice(rows, BATCH)]


def _cell(value: Any) -> str:
    """Return the value as the API writes it, with an apostrophe before each formula. A missing value is blank."""
    if value is None or value is ABSENT:
        return ""
    if isinstance(value, datetime):
        return rfc3339(value)
    # A member of StrEnum is a str, and `str` returns its value.
    text = str(value) if isinstance(value, str | UUID) else dump(value).decode()
    return _FORMULA.sub(lambda found: f"{found[0]}'", text)
