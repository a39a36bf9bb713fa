"""The addresses, ids and other keys of the rows so far, on disk, so that a second row with the same key is refused."""

import sqlite3
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Self

CACHE_KIB = 32 * 1024
_KEY_BYTES = 12
"""Two of a billion keys have the same digest of this length with a chance of one in 10^11."""


class SeenKeys:
    """The keys in a temporary SQLite file, each with the number of the first row that had it."""

    def __init__(self, path: Path) -> None:
        # One thread at a time uses the file, but not always the same.
        self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        # The file is worthless after a crash.
        for pragma in ("journal_mode = OFF", "synchronous = OFF", f"cache_size = -{CACHE_KIB}"):
            self._file.execute(f"PRAGMA {pragma}")
        self._file.execute("CREATE TABLE seen (key BLOB PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID")
        self._file.execute("BEGIN")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, keys: Iterable[tuple[str, str]], *, number: int) -> Mapping[str, int]:
        """Store the keys, pairs of kind and text, and return the kinds of those that an earlier row had.

        The value of a kind is the number of that row. When a key is known, none is stored.
        """
        digests = {_digest(kind, text): kind for kind, text in keys}
        marks = ",".join("?" * len(digests))
        known = self._file.execute(f"SELECT key, number FROM seen WHERE key IN ({marks})", list(digests)).fetchall()  # noqa: S608 - placeholders only
        if known:
            return {digests[key]: first for key, first in known}
        self._file.executemany("INSERT INTO seen VALUES (?, ?)", [(digest, number) for digest in digests])
        return {}


def _digest(kind: str, text: str) -> bytes:
    return blake2b(f"{kind}\0{text}".encode(), digest_size=_KEY_BYTES).digest()
