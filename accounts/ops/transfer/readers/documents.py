"""JSON documents, read piece by piece."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import ijson

from ..inputs import BrokenInput

PIECE_MAX = 64 * 1024 * 1024
"""The most bytes of a document between two users. A realm of Keycloak has other data before its users."""

DEPTH_MAX = 2_000
"""The most brackets that are open. ijson needs memory by the square of this number."""

_CHUNK = 64 * 1024


def open_binary(path: Path) -> BinaryIO:
    """Open the file, which can be compressed by gzip. Raises BrokenInput."""
    try:
        if path.suffix == ".gz":
            return gzip.open(path, "rb")  # type: ignore[return-value]  # GzipFile reads bytes as the others do
        return path.open("rb")
    except OSError as error:
        raise BrokenInput(f"{path} cannot be read: {error.strerror}.") from None


def read_items(path: Path, prefix: str) -> Iterator[Any]:
    """Yield the values at the prefix of ijson, such as `users.item`. Raises BrokenInput when the document is broken."""
    with open_binary(path) as file:
        bounded = _Bounded(file)
        try:
            for item in ijson.items(bounded, prefix, use_float=True, buf_size=_CHUNK):
                bounded.restart()
                yield item
        except (ijson.JSONError, UnicodeDecodeError, OSError, EOFError) as error:
            raise BrokenInput(
                f"{path} is not a whole JSON document in UTF-8: {str(error).splitlines()[0][:200]}. Nothing was imported."
            ) from None


class _Bounded:
    """A file that refuses to be read when one piece is too large for the memory."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._since_item = 0
        self._open = 0

    def read(self, size: int) -> bytes:
        """Return the next bytes.

        Raises BrokenInput when no user ended for PIECE_MAX bytes, or too many brackets are open.
        """
        chunk = self._file.read(size)
        self._since_item += len(chunk)
        # Brackets in strings count too. In a document of people they are few.
        self._open += sum(chunk.count(mark) for mark in (b"[", b"{")) - sum(chunk.count(mark) for mark in (b"]", b"}"))
        if self._since_item > PIECE_MAX:
            raise BrokenInput(f"The document has a value of more than {PIECE_MAX:,} bytes. Nothing was imported.")
        if self._open > DEPTH_MAX:
            raise BrokenInput(f"The document has more than {DEPTH_MAX:,} open brackets. Nothing was imported.")
        return chunk

    def restart(self) -> None:
        """Count anew, after a user."""
        self._since_item = self._open = 0
