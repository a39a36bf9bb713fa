"""The export of all data about an account owner, in pages of bounded size."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Annotated, Any, ClassVar

from core.db.transactions import write
from core.errors import BadRequest
from core.http.answers import Described
from core.http.client import Client
from core.http.examples import EMAIL, MOMENT, SESSION_ID, USER_ID
from core.keys.jwt import Caller
from events.audit import record
from events.vocabulary import EventType

from ..host import users
from ..models import Account
from ..state.lookup import get_signed_in_account, hold_signed_in_account
from ..state.personal_tables import personal_tables

PAGE_ROWS = 1_000
"""The largest number of rows in one answer, of all tables together. It bounds the memory of a call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedTable:
    """The rows of one table about the caller. A table without such rows has none."""

    component: ClassVar = "ExportedTable"

    name: str
    rows: Annotated[
        list[dict[str, Any]], Described("The columns of each row by name. Secrets and their digests are left out.")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class DataExport:
    """A page of the caller's data. The tables of all pages together are complete."""

    example: ClassVar = {
        "user_id": USER_ID,
        "email": EMAIL,
        "exported_at": MOMENT,
        "tables": [
            {"name": "identities", "rows": []},
            {"name": "sessions", "rows": [{"id": SESSION_ID, "started_at": MOMENT, "revoked_at": None}]},
        ],
        "next_cursor": None,
    }

    user_id: str
    email: str
    exported_at: datetime
    tables: list[ExportedTable]
    next_cursor: Annotated[
        str | None, Described("The `cursor` of the next page. A table can go on there. Null on the last page.")
    ]


def export_data(*, caller: Caller, cursor: str | None, client: Client, now: datetime) -> DataExport:
    """Return a page of everything that the service holds about the caller, without secrets.

    The first page records the event DATA_EXPORTED. Rows that change between two pages have their state of the later one.

    Raises BadRequest when `cursor` is not the `next_cursor` of an earlier page. Raises InvalidAccessToken when the session
    has ended.
    """
    account = get_signed_in_account(caller=caller, now=now)
    if cursor is None:
        _record(caller, client=client, now=now)
    return _read_page(account, cursor=cursor, now=now)


def export_all_data(*, caller: Caller, client: Client, now: datetime) -> Iterator[DataExport]:
    """Return all pages of the export, and record its event. The first page is read at once, and the others on demand.

    The session is checked at the start alone. So a session that ends during a download does not cut the file.

    Raises InvalidAccessToken when the session has ended.
    """
    account = get_signed_in_account(caller=caller, now=now)
    _record(caller, client=client, now=now)
    first = _read_page(account, cursor=None, now=now)
    return chain([first], _read_others(account, first, now=now))


def _read_others(account: Account, page: DataExport, *, now: datetime) -> Iterator[DataExport]:
    while page.next_cursor is not None:
        page = _read_page(account, cursor=page.next_cursor, now=now)
        yield page


def _read_page(account: Account, *, cursor: str | None, now: datetime) -> DataExport:
    name, _, after = (cursor or "").partition(":")
    names = [table.name for table in personal_tables]
    if cursor is not None and name not in names:
        raise _unknown_cursor()
    tables, next_cursor = _read_tables(account, start=names.index(name) if name else 0, after=after)
    return DataExport(
        user_id=str(account.pk),
        email=users.email_of(account.user),
        exported_at=now,
        tables=tables,
        next_cursor=next_cursor,
    )


def _read_tables(account: Account, *, start: int, after: str) -> tuple[list[ExportedTable], str | None]:
    pages = []
    left = PAGE_ROWS
    for table in list(personal_tables)[start:]:
        try:
            # One row more shows whether another page follows.
            found = table.page(account_id=account.pk, after=after, limit=left + 1)
        except ValueError:
            raise _unknown_cursor() from None
        pages.append(ExportedTable(name=table.name, rows=[row for _, row in found[:left]]))
        if len(found) > left:
            return pages, f"{table.name}:{found[left - 1][0] if left else after}"
        left -= len(found)
        after = ""
    return pages, None


@write
def _record(caller: Caller, *, client: Client, now: datetime) -> None:
    hold_signed_in_account(caller=caller, now=now)
    record(event=EventType.DATA_EXPORTED, user_id=caller.user_id, client=client, now=now)


def _unknown_cursor() -> BadRequest:
    return BadRequest("cursor: must be the next_cursor of an earlier answer.")
