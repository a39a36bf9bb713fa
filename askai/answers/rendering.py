"""Answers as plain text. The same records always give exactly the same text."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.clock import rfc3339

from ..plans.entities import Column
from ..plans.periods import Span
from ..running.computed import COMPUTED
from ..running.results import Compared, Counted, Found, Groups, Records, Result, Status, Total

NO_RESULTS_TEXT = "No matching results."
CELL_MAX = 200
ANSWER_MAX_BYTES = 64 * 1024

# These are control characters, line breaks, lone surrogates, and characters that are invisible or change the direction
# of text.
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """The answer as plain text, and the number of records behind it."""

    answer: str
    row_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """Lines of cells below their column names. `count` replaces the number of lines as the number of records.

    With `is_more`, records may exist that are not in the table.
    """

    columns: Sequence[str]
    rows: Iterable[Sequence[str]]
    count: int | None = None
    is_more: bool = False


def render(results: Sequence[Result], *, max_rows: int) -> Text:
    """Return a line of column names and a line such as `a | b` for each record or group, for each result.

    An empty line separates two results. The text has at most ANSWER_MAX_BYTES; further lines are left out.
    """
    blocks, size, row_count, is_sure = [], 0, 0, True
    for table in (_table(result, max_rows=max_rows) for result in results):
        lines = [" | ".join(table.columns)]
        size += len(lines[0]) + 2
        for row in table.rows:
            line = " | ".join(clean(cell) for cell in row)
            size += 1 + len(line.encode())
            if size > ANSWER_MAX_BYTES:
                break
            lines.append(line)
        blocks.append("\n".join(lines))
        row_count += len(lines) - 1 if table.count is None else table.count
        is_sure = is_sure and not table.is_more
    if row_count == 0 and is_sure:
        return Text(answer=NO_RESULTS_TEXT, row_count=0)
    return Text(answer="\n\n".join(blocks), row_count=row_count)


def _table(result: Result, *, max_rows: int) -> _Table:
    match result:
        case Records():
            table = _Table(columns=result.columns, rows=_cells(result), is_more=result.total.is_more)
        case Groups():
            table = _counts(result.pairs)
        case Counted(by_type=None):
            capped, text = _capped(result.total, max_rows=max_rows)
            table = _Table(columns=("count",), rows=[[text]], count=capped, is_more=result.total.is_more)
        case Counted():
            table = _counts((result.by_type or {}).items(), more=" or more" if result.total.is_more else "")
        case Found():
            capped, text = _capped(result.total, max_rows=max_rows)
            rows = [[text, *row] for row in _cells(result.newest)]
            table = _Table(
                columns=("count", *result.newest.columns), rows=rows, count=capped, is_more=result.total.is_more
            )
        case Compared():
            table = _counts((_interval(span), total.count) for span, total in result.counts)
        case Status():
            table = _Table(columns=("fact", "value"), rows=[(result.name, "yes" if result.holds else "no")])
    return table


def _counts(pairs: Iterable[tuple[str, int]], *, more: str = "") -> _Table:
    """Return the table of values with their numbers. It has no records when all numbers are 0."""
    counts = list(pairs)
    rows = [(str(value), f"{count}{more}") for value, count in counts]
    return _Table(columns=("value", "count"), rows=rows, count=None if any(count for _, count in counts) else 0)


def _cells(records: Records) -> Iterable[Sequence[str]]:
    return ([show(column, value) for column, value in zip(records.columns, row, strict=True)] for row in records.rows)


def _capped(total: Total, *, max_rows: int) -> tuple[int, str]:
    """Return the number of records up to `max_rows`, and its text."""
    count = min(total.count, max_rows)
    return count, f"{count} or more" if count == max_rows or total.is_more else str(count)


def _interval(span: Span) -> str:
    """Return the span as an interval of ISO 8601, with `..` for an open end."""
    return "/".join(rfc3339(end) if end else ".." for end in (span.since, span.until))


def show(column: Column, stored: Any) -> str:
    """Return the text of the column for its stored value."""
    if stored is None:
        return ""
    if column in COMPUTED:
        return COMPUTED[column](stored)
    return rfc3339(stored) if isinstance(stored, datetime) else str(stored)


def clean(text: str) -> str:
    """Return the text as a cell: one line in reading order, of at most CELL_MAX characters.

    Bars are escaped, so that no text looks like two cells.
    """
    escaped = one_line(text).replace("|", "\\|")
    # The cut must not separate a bar from its escape.
    end = CELL_MAX - 1 if escaped[CELL_MAX : CELL_MAX + 1] == "|" else CELL_MAX
    return escaped[:end]


def one_line(text: str) -> str:
    """Return the text with a blank for each character that is invisible or changes the direction of text."""
    return "".join(" " if unicodedata.category(character) in _INVISIBLE else character for character in text)
