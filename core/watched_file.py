"""A file whose content a process keeps, and reads again when the file changes."""

from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")


class WatchedFile(Generic[T]):
    """The content of a file at the last read; None before the first read. The callers of `refresh` hold a lock."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.content: T | None = None
        self._stamp: tuple[int, int, int] | None = None

    def refresh(self, read: Callable[[Path], T]) -> T:
        """Read the file if it changed since the last read, and return its content.

        Raises the error of `read`. Then `content` keeps its value, and the next call reads the file again.
        """
        # The stamp is taken before the read. If the file changes in between, the next call reads the file again.
        stamp = _stamp(self.path)
        content = self.content
        if content is None or stamp is None or stamp != self._stamp:
            self._stamp = None
            content = self.content = read(self.path)
            self._stamp = stamp
        return content


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """Return numbers that change with the file; None when there is no file that can be read."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size
