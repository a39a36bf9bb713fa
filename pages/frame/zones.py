"""The time zone of the pages: UTC, or the zone that the operator chose. A cookie of the browser keeps the choice."""

from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpRequest, HttpResponse

from .cookies import keep_choice

UTC_NAME = "UTC"
COOKIE = "gatehouse-zone"
DEVICE_COOKIE = "gatehouse-device-zone"
"""The cookie in which the script of the pages states the zone of the device."""


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of the IANA zones of this machine, such as `Europe/Berlin`. UTC is the first."""
    places = sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return (UTC_NAME, *places)


def find_zone(request: HttpRequest, *, default: str = UTC_NAME) -> ZoneInfo:
    """Return the zone that the person chose, or else the default. An unknown name counts as UTC."""
    name = request.COOKIES.get(COOKIE, default)
    # Without its data, a machine knows no zone, and UTC needs none.
    return ZoneInfo(name) if name in zone_names() else ZoneInfo(UTC_NAME)


def device_zone(request: HttpRequest) -> str:
    """Return the name of the zone of the device, as its browser states it. Without a script it is UTC."""
    return request.COOKIES.get(DEVICE_COOKIE, UTC_NAME)


def keep_zone(response: HttpResponse, name: str) -> None:
    """Let the browser keep the zone."""
    keep_choice(response, name=COOKIE, value=name)
