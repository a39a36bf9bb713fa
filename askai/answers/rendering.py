"""Answers as text. The same records always give exactly the same text."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from core.clock import rfc3339
from sessions_app.detection.devices import describe, label
from sessions_app.detection.locations import locate

from ..plans.entities import Column
from ..running.runner import Counted, Groups, Records, Result

NO_RESULTS_TEXT = "No matching results."
CELL_MAX = 200
ANSWER_MAX_BYTES = 64 * 1024

# These are control characters, line breaks, lone surrogates, and characters that are invisible or change the direction
# of text.
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer as plain text for the user, and the number of records behind it."""

    example: ClassVar = {"answer": "value | count\nChrome on macOS | 1\niPhone | 2", "row_count": 2}

    answer: str
    row_count: int


def render(result: Result) -> Answer:
    """Return a line of column names, then a line such as `a | b` for each record or group.

    The text has at most ANSWER_MAX_BYTES; further lines are left out.
    """
    match result:
        case Records():
            rows = (
                [show(column, value) for column, value in zip(result.columns, row, strict=True)] for row in result.rows
            )
            return _table(result.columns, rows)
        case Groups():
            return _table(("value", "count"), ([value, str(count)] for value, count in result.pairs))
        case Counted():
            text = f"{result.count} or more" if result.is_more else str(result.count)
            table = _table(("count",), [[text]] if result.count else [])
            return Answer(answer=table.answer, row_count=result.count)


def show(column: Column, stored: Any) -> str:
    """Return the text of the column for its stored value."""
    match column:
        case Column.DEVICE:
            return label(describe(stored))
        case Column.BROWSER:
            return describe(stored).browser
        case Column.OS:
            return describe(stored).os
        case Column.LOCATION:
            location = locate(stored)
            return ", ".join(part for part in (location.city, location.region, location.country) if part)
    return rfc3339(stored) if isinstance(stored, datetime) else str(stored)


def clean(text: str) -> str:
    """Return the text as a cell: one line in reading order, of at most CELL_MAX characters.

    Bars are escaped, so that no text looks like two cells.
    """
    visible = "".join(" " if unicodedata.category(character) in _INVISIBLE else character for character in text)
    escaped = visible.replace("|", "\\|")
    # The cut must not separate a bar from its escape.
    end = CELL_MAX - 1 if escaped[CELL_MAX : CELL_MAX + 1] == "|" else CELL_MAX
    return escaped[:end]


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Answer:
    lines = [" | ".join(columns)]
    size = len(lines[0])
    for row in rows:
        line = " | ".join(clean(cell) for cell in row)
        size += 1 + len(line.encode())
        if size > ANSWER_MAX_BYTES:
            break
        lines.append(line)
    if len(lines) == 1:
        return Answer(answer=NO_RESULTS_TEXT, row_count=0)
    return Answer(answer="\n".join(lines), row_count=len(lines) - 1)
