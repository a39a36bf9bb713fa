"""CSV files with a line of column names."""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from ..inputs import BrokenInput
from ..lines import LINE_MAX
from ..values import is_utf8
from .documents import open_binary

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""The first characters by which a spreadsheet takes a cell for a formula."""


def read_table(path: Path) -> Iterator[tuple[int, Mapping[str, str] | str]]:
    """Yield the number of the line at which each row ends, and the row, or the reason of a refusal.

    Empty cells are missing from the row. Raises BrokenInput when the file has no line of column names.
    """
    csv.field_size_limit(LINE_MAX)
    with open_binary(path) as file:
        lines = _Lines(file)
        rows = csv.reader(lines, strict=True)
        names = _read_names(rows, path)
        while True:
            try:
                cells = next(rows)
            except StopIteration:
                return
            except (csv.Error, _TooLong) as error:
                yield lines.number, f"The line is no CSV: {error}."
                continue
            if cells:
                yield lines.number, _row(names, cells)


def _read_names(rows: Iterator[list[str]], path: Path) -> list[str]:
    try:
        names = [name.strip() for name in next(rows, [])]
    except (csv.Error, _TooLong):
        names = []
    if not names or len(set(names)) < len(names):
        raise BrokenInput(f"{path} must begin with a line of column names, and no name may occur twice.")
    return names


def _row(names: list[str], cells: list[str]) -> Mapping[str, str] | str:
    if len(cells) != len(names):
        return f"The row has {len(cells)} cells, and the file has {len(names)} columns."
    if not all(map(is_utf8, cells)):
        return "The row is not UTF-8."
    return {name: cell for name, cell in zip(names, cells, strict=True) if cell != ""}


class _TooLong(Exception):
    """A line has more than LINE_MAX bytes."""


class _Lines:
    """The lines of a file as text. A class, because a generator would end with its first exception."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.number = 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line = self._file.readline(LINE_MAX + 1)
        if not line:
            raise StopIteration
        self.number += 1
        if len(line) > LINE_MAX and not line.endswith(b"\n"):
            while (rest := self._file.readline(LINE_MAX)) and not rest.endswith(b"\n"):
                pass
            raise _TooLong(f"it has more than {LINE_MAX} bytes")
        if self.number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        return line.decode(errors="surrogateescape")
