"""Data of the same users from a second file, kept on disk until their user is read."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson


class Join:
    """JSON values by key. A key can have several values."""

    def __init__(self, file: sqlite3.Connection) -> None:
        self._file = file

    def find(self, key: str) -> list[Any]:
        """Return the values of the key, in the order of their file."""
        rows = self._file.execute("SELECT value FROM joined WHERE key = ? ORDER BY rowid", (key,))
        return [orjson.loads(value) for (value,) in rows]


@contextmanager
def joined(path: Path, pairs: Iterable[tuple[str, Any]]) -> Iterator[Join]:
    """Yield the join of the pairs of key and value. The first call stores them in a new file, which later calls read."""
    is_new = not path.exists()
    # The directory is private, because the values can be password hashes.
    # One thread at a time uses the file, but not always the same.
    file = sqlite3.connect(path, check_same_thread=False)
    try:
        if is_new:
            file.execute("PRAGMA synchronous = OFF")
            file.execute("CREATE TABLE joined (key TEXT NOT NULL, value BLOB NOT NULL)")
            file.executemany("INSERT INTO joined VALUES (?, ?)", ((key, orjson.dumps(value)) for key, value in pairs))
            file.execute("CREATE INDEX joined_key ON joined (key)")
            file.commit()
        yield Join(file)
    finally:
        file.close()
