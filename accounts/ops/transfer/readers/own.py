"""The format of `users export`: one JSON object in each line."""

from collections.abc import Iterator

from ..inputs import Input
from ..records import Record, read_json_lines
from .documents import open_binary


def read(given: Input) -> Iterator[Record]:
    """Yield the row of each line."""
    with open_binary(given.path) as file:
        for number, value in read_json_lines(file):
            if isinstance(value, str):
                yield Record(number=number, value=None, refusal=value)
            else:
                yield Record(number=number, value=value)
