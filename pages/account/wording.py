"""Devices and places in the language of the reader."""

from collections.abc import Sequence

from django.utils.translation import get_language

from askai.plans.countries import COUNTRIES
from core.http.client import Client
from sessions_app.detection.devices import describe
from sessions_app.detection.locations import Location, locate
from sessions_app.inventory import device_name


def device(user_agent: str) -> str:
    """Return the name of the device, such as `Chrome on macOS`. Without a user agent it is "", such as for a worker."""
    return device_name(describe(user_agent)) if user_agent else ""


def place(location: Location) -> str:
    """Return the place, such as `Lyon, France`; "" when it is unknown."""
    names = COUNTRIES.get(location.country, {})
    country = names.get((get_language() or "").partition("-")[0], location.country)
    return ", ".join(part for part in (location.city, country) if part)


def origin(client: Client) -> Sequence[str]:
    """Return what is known of the device and the place of a request: device, place, IP address. An empty part is left out."""
    parts = (device(client.user_agent), place(locate(client.ip)) if client.ip else "", client.ip)
    return [part for part in parts if part]
