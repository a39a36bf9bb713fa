"""Where an address is, as far as the deployment's geolocator (GEOIP) can tell."""

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

from .conf import conf

logger = logging.getLogger("authsvc.locations")

COUNTRY_TABLE = "country"
RECHECK_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """A place. City and region, the country's largest division, by their English names; the country by its ISO 3166 code.

    The code, since the country table knows no names, and a client can put it in the reader's own language.
    """

    city: str = ""
    region: str = ""
    country: str = ""


NOWHERE = Location()


def locate(ip: str) -> Location:
    """Return where the address is; all fields are empty without a geolocator and for an address that it does not know.

    GEOIP=country tells the country alone, the one to whose registry the address was handed out. A file is read as
    MaxMind's City and Country databases lay it out. It is memory-mapped and, within RECHECK_SECONDS of being replaced,
    opened anew: replace it by renaming another one over it, never by writing into it.
    """
    source = conf().geoip
    if not source:
        return NOWHERE
    try:
        if source == COUNTRY_TABLE:
            return Location(country=iptocc.country_code(ip) or "")
        return _place(_database(source).find(ip_address(ip)))
    except ValueError:
        return NOWHERE  # no address, or one of IPv6 and a file of IPv4 alone


def check_geoip(**_: object) -> list[CheckMessage]:
    """Return an error (authsvc.E030) when GEOIP names a file that is missing or no MaxMind-format database."""
    source = conf().geoip
    if source in ("", COUNTRY_TABLE):
        return []
    try:
        maxminddb.open_database(source).close()
    except (OSError, maxminddb.InvalidDatabaseError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        sentence = f"GEOIP must be `country` or the path of a MaxMind-format file; {source} is none: {reason}"
        return [Error(sentence, id="authsvc.E030")]
    return []


class _Database:
    """A MaxMind-format file. Its last good version stays in use when the next one cannot be read."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._lock = threading.Lock()
        self._reader: maxminddb.Reader | None = None
        self._stamp: tuple[int, int, int] | None = None
        self._recheck_at = 0.0

    def find(self, address: IPv4Address | IPv6Address) -> Record | None:
        """Return what the file says of the address; None, and a warning in the log, when the file is broken.

        Raises ValueError for an IPv6 address when the file knows IPv4 alone.
        """
        if monotonic() >= self._recheck_at:
            self._recheck()
        if self._reader is None:
            return None
        try:
            return self._reader.get(address)
        except maxminddb.InvalidDatabaseError as error:
            logger.warning("the file that GEOIP names is damaged", extra={"reason": str(error)})
            return None

    def _recheck(self) -> None:
        with self._lock:
            if monotonic() < self._recheck_at:
                return  # another thread did, meanwhile
            try:
                status = self._path.stat()
                stamp = (status.st_ino, status.st_mtime_ns, status.st_size)
                if stamp != self._stamp:
                    # The reader before is not closed: other threads may be reading from it. The last one drops it.
                    self._reader = maxminddb.open_database(self._path)
                    self._stamp = stamp
            except (OSError, maxminddb.InvalidDatabaseError) as error:
                logger.warning("the file that GEOIP names cannot be read", extra={"reason": str(error)})
            self._recheck_at = monotonic() + RECHECK_SECONDS


_database = cache(_Database)

# A lock that another thread holds at the moment of a fork would stay locked in the child.
os.register_at_fork(after_in_child=_database.cache_clear)


def _place(record: Record | None) -> Location:
    return Location(
        city=_text_at(record, "city", "names", "en"),
        region=_text_at(record, "subdivisions", 0, "names", "en"),
        country=_text_at(record, "country", "iso_code"),
    )


def _text_at(value: Any, *path: str | int) -> str:
    # Whatever the file holds: every vendor leaves something out, and some lay it out otherwise.
    try:
        for key in path:
            value = value[key]
    except (KeyError, IndexError, TypeError):
        return ""
    return value if isinstance(value, str) else ""
