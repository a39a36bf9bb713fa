"""The records of an input: what a reader yields for each user."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import orjson

from .lines import LINE_MAX, read_lines
from .values import RefusedRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One user of an input. `number` is a line, or the position among the users of a document; both begin with 1.

    `value` is a row in the format, before any check. It is None when `refusal` states why there is none. `file` is the
    name of the file in a folder, and "" for a single file. `left_out` names what the user has and the reader left out.
    """

    number: int
    value: Mapping[str, Any] | None
    refusal: str = ""
    file: str = ""
    left_out: tuple[str, ...] = ()


def read_json_lines(file: BinaryIO) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Yield the number of each line that is not blank, with its JSON object, or with the reason of a refusal."""
    for number, line in enumerate(read_lines(file), start=1):
        if line is None:
            yield number, f"The line has more than {LINE_MAX} bytes."
        elif line.strip():
            yield number, _parse(line)


def _parse(line: bytes) -> dict[str, Any] | str:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return "The line is not JSON in UTF-8."
    return value if isinstance(value, dict) else "The line is not a JSON object."


def refused(number: int, error: RefusedRow, *, file: str = "") -> Record:
    """Return the record of a user that the reader refuses."""
    return Record(number=number, value=None, refusal=str(error), file=file)
