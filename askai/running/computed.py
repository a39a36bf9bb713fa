"""Properties that no column has: those of a device, from its user agent, and those of a place, from its address."""

from collections.abc import Callable, Mapping

from sessions_app.detection.devices import Device, describe, label
from sessions_app.detection.locations import Location, locate

from ..plans.countries import COUNTRIES
from ..plans.entities import Column
from ..plans.plan import By, Choice, Filters, Form

FORM_NAMES: Mapping[str, str] = {"mobile": Form.PHONE}
"""The name of a form in a question, where a session's form has another name."""

_APPLE = ("iOS", "iPadOS")
_FORMS: Mapping[Form, Callable[[Device], bool]] = {
    Form.PHONE: lambda device: device.form == "mobile",
    Form.TABLET: lambda device: device.form == "tablet",
    Form.DESKTOP: lambda device: device.form == "desktop",
    Form.IPHONE: lambda device: device.form == "mobile" and device.os in _APPLE,
    Form.IPAD: lambda device: device.form == "tablet" and device.os in _APPLE,
    Form.ANDROID_PHONE: lambda device: device.form == "mobile" and device.os == "Android",
    Form.ANDROID_TABLET: lambda device: device.form == "tablet" and device.os == "Android",
    Form.BOT: lambda device: device.form == "bot",
}

OF_AGENT: Mapping[By, Callable[[str], str]] = {
    By.DEVICE: lambda agent: label(describe(agent)),
    By.BROWSER: lambda agent: describe(agent).browser,
    By.OS: lambda agent: describe(agent).os,
    By.FORM: lambda agent: form_of(describe(agent)),
}
"""The values of a user agent by which records are grouped."""


def form_of(device: Device) -> str:
    """Return the form of the device as a question names it; "" when it is unknown."""
    return FORM_NAMES.get(device.form, device.form)


def place_of(ip: str) -> str:
    """Return the place of the address, such as `Berlin, Land Berlin, DE`; "" when it is unknown."""
    location = locate(ip)
    return ", ".join(part for part in (location.city, location.region, location.country) if part)


COMPUTED: Mapping[Column, Callable[[str], str]] = {
    Column.DEVICE: OF_AGENT[By.DEVICE],
    Column.BROWSER: OF_AGENT[By.BROWSER],
    Column.OS: OF_AGENT[By.OS],
    Column.FORM: OF_AGENT[By.FORM],
    Column.LOCATION: place_of,
}
"""The text of a computed column for its stored value."""


def is_device_asked(filters: Filters) -> bool:
    """Return whether a condition is about the device."""
    return any(choice is not None for choice in (filters.browsers, filters.systems, filters.forms))


def has_device(agent: str, filters: Filters) -> bool:
    """Return whether the user agent meets the conditions about the device."""
    device = describe(agent)
    return (
        _is_among(filters.browsers, lambda name: name.casefold() == device.browser.casefold())
        and _is_among(filters.systems, lambda name: name.casefold() == device.os.casefold())
        and _is_among(filters.forms, lambda form: _FORMS[form](device))
    )


def is_in(ip: str, places: Choice[str]) -> bool:
    """Return whether the address meets the condition about places. An unknown place is not in any place."""
    location = locate(ip)
    return _is_among(places, lambda name: name.casefold() in _names(location))


def _names(location: Location) -> set[str]:
    """Return the names of the location, with those of the country in all languages."""
    names = (location.city, location.region, location.country, *COUNTRIES.get(location.country, {}).values())
    return {name.casefold() for name in names if name}


def _is_among(choice: "Choice[str] | Choice[Form] | None", is_it: Callable[..., bool]) -> bool:
    return choice is None or any(is_it(value) for value in choice.values) is not choice.is_not
