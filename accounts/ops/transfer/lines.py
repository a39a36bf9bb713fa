"""The lines of a file, each with a bound, so that no line fills the memory."""

from collections.abc import Iterator
from typing import BinaryIO

LINE_MAX = 512 * 1024
"""The longest line in bytes. The largest row of an export has some 200,000."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_lines(file: BinaryIO) -> Iterator[bytes | None]:
    """Yield each line without its end, or None for a line of more than LINE_MAX bytes."""
    line = file.readline(LINE_MAX + 1).removeprefix(_BYTE_ORDER_MARK)
    while line:
        if len(line) > LINE_MAX and not line.endswith(b"\n"):
            _skip_line(file)
            yield None
        else:
            yield line.rstrip(b"\r\n")
        line = file.readline(LINE_MAX + 1)


def _skip_line(file: BinaryIO) -> None:
    while (rest := file.readline(LINE_MAX)) and not rest.endswith(b"\n"):
        pass
