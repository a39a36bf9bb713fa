"""Locations of IP addresses, from the deployment's geolocator (GEOIP)."""

import logging
import os
import threading
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from time import monotonic
from typing import Any

import iptocc
import maxminddb
from django.core.checks import CheckMessage, Error
from maxminddb.types import Record

from accounts.core.watched_file import WatchedFile

from .conf import settings

logger = logging.getLogger("authsvc.locations")

COUNTRY_TABLE = "country"
RECHECK_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """A place. A field is "" when it is unknown.

    `city` and `region`, the country's largest division, are English names. `country` is an ISO 3166 code, which a
    client can translate.
    """

    city: str = ""
    region: str = ""
    country: str = ""


NOWHERE = Location()


def locate(ip: str) -> Location:
    """Return the location of the IP address.

    All fields are empty without a geolocator and for an address that the geolocator does not know. GEOIP=country yields
    only the country to whose registry the address was allocated. A file must have the layout of MaxMind's City and
    Country databases.

    The file is memory-mapped, and opened again within RECHECK_SECONDS after its replacement. An operator must replace
    the file by renaming another one over it, and must never write into it.
    """
    source = settings().geoip
    if not source:
        return NOWHERE
    try:
        if source == COUNTRY_TABLE:
            return Location(country=iptocc.country_code(ip) or "")
        return _place(_database(source).find(ip_address(ip)))
    except ValueError:
        return NOWHERE  # the text is no address, or it is IPv6 and the file has only IPv4


def check_geoip(**_: object) -> list[CheckMessage]:
    """Return an error (authsvc.E030) when GEOIP names a missing file, or a file that is no MaxMind-format database."""
    source = settings().geoip
    if source in ("", COUNTRY_TABLE):
        return []
    try:
        maxminddb.open_database(source).close()
    except (OSError, maxminddb.InvalidDatabaseError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        sentence = f"GEOIP must be `country` or the path of a MaxMind-format file; {source} is not: {reason}"
        return [Error(sentence, id="authsvc.E030")]
    return []


class _Database:
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


_database = cache(_Database)

# Without this, a lock that another thread holds at a fork would stay locked in the child.
os.register_at_fork(after_in_child=_database.cache_clear)


def _place(record: Record | None) -> Location:
    return Location(
        city=_text_at(record, "city", "names", "en"),
        region=_text_at(record, "subdivisions", 0, "names", "en"),
        country=_text_at(record, "country", "iso_code"),
    )


def _text_at(value: Any, *path: str | int) -> str:
    # The records vary: each vendor omits some fields, and some vendors use another layout.
    try:
        for key in path:
            value = value[key]
    except (KeyError, IndexError, TypeError):
        return ""
    return value if isinstance(value, str) else ""
