"""Locations of IP addresses, from the geolocators of a host project and from the deployment's own (GEOIP)."""

from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Protocol

from django.core.checks import CheckMessage, Error

from core.registry import Registry

from ..conf import settings

COUNTRY_TABLE = "country"


# orjson dumps a dataclass without slots in half the time.
@dataclass(frozen=True, kw_only=True)
class Location:
    """A place. A field is "" when it is unknown.

    `city` and `region`, the country's largest division, are English names. `country` is an ISO 3166 code, which a
    client can translate.
    """

    city: str = ""
    region: str = ""
    country: str = ""


NO_LOCATION = Location()


class Geolocator(Protocol):
    """Finds locations in a host project."""

    def locate(self, *, ip: str) -> Location | None:
        """Return the location of the IP address, or None when another geolocator has to decide.

        The method runs once for each session of a list and for each mail with a place. So it must be fast.
        """


own_geolocators: Registry[Geolocator] = Registry()
"""The geolocators of a host project."""


def locate(ip: str) -> Location:
    """Return the location of the IP address: that of the first registered geolocator that knows one, else of GEOIP.

    All fields are empty without a geolocator and for an address that the geolocator does not know. GEOIP=country yields
    only the country to whose registry the address was allocated. A file must have the layout of MaxMind's City and
    Country databases.

    The file is memory-mapped, and opened again within seconds after its replacement. An operator must replace the file
    by renaming another one over it, and must never write into it.
    """
    for geolocator in own_geolocators:
        if (location := geolocator.locate(ip=ip)) is not None:
            return location
    source = settings().geoip
    if not source:
        return NO_LOCATION
    from . import geolocators  # noqa: PLC0415 - a site without GEOIP needs none of its packages

    try:
        if source == COUNTRY_TABLE:
            return Location(country=geolocators.country_code(ip) or "")
        return _location(geolocators.database(source).find(ip_address(ip)))
    except ValueError:
        return NO_LOCATION  # the text is no address, or it is IPv6 and the file has only IPv4


def knows_locations() -> bool:
    """Return whether the deployment has a source of locations. Otherwise, every location is empty."""
    return len(own_geolocators) > 0 or bool(settings().geoip)


def check_geoip(**_: object) -> list[CheckMessage]:
    """Return an error (authsvc.E030) when GEOIP names a missing file, or a file that is no MaxMind-format database."""
    source = settings().geoip
    if not source:
        return []
    from . import geolocators  # noqa: PLC0415 - see above

    if source != COUNTRY_TABLE and (reason := geolocators.find_fault(source)):
        sentence = f"GEOIP must be `country` or the path of a MaxMind-format file; {source} is not: {reason}"
        return [Error(sentence, id="authsvc.E030")]
    return []


def _location(record: Any) -> Location:
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
