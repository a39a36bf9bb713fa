"""The time zone of the pages: UTC, or the zone that the operator chose. A cookie of the browser keeps the choice."""

from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpRequest, HttpResponse

from core.conf import core_settings

UTC_NAME = "UTC"
COOKIE = "gatehouse-zone"
KEPT_SECONDS = 400 * 24 * 60 * 60
"""The time for which a browser keeps the choice. Browsers allow at most 400 days."""


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of the IANA zones of this machine, such as `Europe/Berlin`. UTC is the first."""
    places = sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return (UTC_NAME, *places)


def find_zone(request: HttpRequest) -> ZoneInfo:
    """Return the zone that the browser's cookie names. Return UTC without a cookie, and for an unknown name."""
    name = request.COOKIES.get(COOKIE, UTC_NAME)
    # Without its data, a machine knows no zone, and UTC needs none.
    return ZoneInfo(name) if name in zone_names() else ZoneInfo(UTC_NAME)


def keep_zone(response: HttpResponse, name: str) -> None:
    """Let the browser keep the zone. Pages below /v1/admin have the same zone, so the cookie has the path `/`."""
    is_https = core_settings().base_url.startswith("https:")
    response.set_cookie(COOKIE, name, max_age=KEPT_SECONDS, path="/", secure=is_https, httponly=True, samesite="Strict")
