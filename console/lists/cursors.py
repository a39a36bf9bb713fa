"""Cursors: the position in a list at which the next page begins, as text."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model, Q, QuerySet

from core.clock import rfc3339
from core.errors import BadRequest

M = TypeVar("M", bound=Model)
T = TypeVar("T")

_CURSOR = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{15}Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The last row of a page. Its text is the cursor of the next page.

    A list in the order of the time continues at both members. A list in the order of the ids continues at `id`.
    """

    created_at: datetime
    id: Any

    @classmethod
    def of(cls, row: Any) -> "Position":
        """Return the position of a row with `created_at`. Only the position of a row with a UUID as its key has a text."""
        return cls(created_at=row.created_at, id=row.pk)

    def __str__(self) -> str:
        return f"{rfc3339(self.created_at)}_{self.id}"


def read_cursor(text: str) -> Position:
    """Return the position of the cursor. Raises BadRequest when the text is not a cursor."""
    parts = _CURSOR.fullmatch(text)
    try:
        if parts:
            return Position(created_at=datetime.fromisoformat(parts[1]), id=UUID(parts[2]))
    except ValueError:
        pass
    raise BadRequest("cursor: must be the next_cursor of an earlier answer.")


def each_of_pages(read: Callable[[str | None], tuple[Iterable[T], str | None]]) -> Iterator[T]:
    """Yield the rows of all pages. `read` gets the cursor of a page, and returns its rows and the next cursor.

    The first page has no cursor, and the last one has no next cursor.
    """
    rows, cursor = read(None)
    yield from rows
    while cursor is not None:
        rows, cursor = read(cursor)
        yield from rows


def older_than(rows: QuerySet[M], position: Position | None) -> QuerySet[M]:
    """Return the rows after the position, in a list with the newest first. None means all rows.

    The rows have the order `-created_at, -pk`.
    """
    if position is None:
        return rows
    # The first condition repeats the second, so that PostgreSQL starts in the index at this time.
    older = Q(created_at__lt=position.created_at) | Q(pk__lt=position.id)
    return rows.filter(created_at__lte=position.created_at).filter(older)
