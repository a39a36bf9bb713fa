"""The sources of locations: a table of countries, and files in MaxMind's format."""

import logging
import os
import threading
from functools import cache
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from time import monotonic

import maxminddb
from iptocc import country_code
from maxminddb.types import Record

from core.watched_file import WatchedFile

__all__ = ["Database", "country_code", "database", "find_fault"]

logger = logging.getLogger("authsvc.locations")

RECHECK_SECONDS = 5.0


def find_fault(path: str) -> str:
    """Return why the file cannot be read as a MaxMind-format database, or "" for a readable file."""
    try:
        maxminddb.open_database(path).close()
    except (OSError, maxminddb.InvalidDatabaseError) as error:
        return str(error.strerror if isinstance(error, OSError) else error)
    return ""


class Database:
    """A MaxMind-format file. When a new version cannot be read, the last readable version stays in use."""

    def __init__(self, path: str) -> None:
        self._file: WatchedFile[maxminddb.Reader] = WatchedFile(Path(path))
        self._lock = threading.Lock()
        self._recheck_at = 0.0

    def find(self, address: IPv4Address | IPv6Address) -> Record | None:
        """Return the file's record of the address.

        Returns None when the file is damaged, and logs a warning. Raises ValueError for an IPv6 address when the file
        has only IPv4.
        """
        if monotonic() >= self._recheck_at:
            self._recheck()
        reader = self._file.content
        if reader is None:
            return None
        try:
            return reader.get(address)
        except maxminddb.InvalidDatabaseError as error:
            logger.warning("the GEOIP file is damaged", extra={"reason": str(error)})
            return None

    def _recheck(self) -> None:
        with self._lock:
            if monotonic() < self._recheck_at:
                return  # another thread rechecked the file in the meantime
            try:
                # The old reader stays open, because other threads may still read from it. It is freed with its last
                # reference.
                self._file.refresh(maxminddb.open_database)
            except (OSError, maxminddb.InvalidDatabaseError) as error:
                logger.warning("the GEOIP file cannot be read", extra={"reason": str(error)})
            self._recheck_at = monotonic() + RECHECK_SECONDS


database = cache(Database)

# Without this, a lock that another thread holds at a fork would stay locked in the child.
os.register_at_fork(after_in_child=database.cache_clear)
