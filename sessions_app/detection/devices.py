"""Descriptions of devices, from their user agents.

A user agent is a claim of the client. It helps users to recognize their sessions, but it is no evidence.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

Form: TypeAlias = Literal["desktop", "mobile", "tablet", "bot", ""]


# orjson dumps a dataclass without slots in half the time.
@dataclass(frozen=True, kw_only=True)
class Device:
    """A browser (or app, or HTTP library), its operating system and the form of its hardware.

    A field is "" when the user agent does not state it. Browser and system have their common names, without a version.
    The built-in browser of an app is `WebView`.
    """

    browser: str
    os: str
    form: Form


UNKNOWN_DEVICE = "Unknown device"

_BROWSER_NAMES = {
    "Chrome Mobile": "Chrome",
    "Chrome Mobile iOS": "Chrome",
    "DuckDuckGo Mobile": "DuckDuckGo",
    "Ecosia Android": "Ecosia",
    "Ecosia iOS": "Ecosia",
    "Edge Mobile": "Edge",
    "Firefox Mobile": "Firefox",
    "Firefox iOS": "Firefox",
    "IE": "Internet Explorer",
    "IE Mobile": "Internet Explorer",
    "Mobile Safari": "Safari",
    "Opera Mobile": "Opera",
    "QQ Browser Mobile": "QQ Browser",
    "Chrome Mobile WebView": "WebView",
    "Mobile Safari UI/WKWebView": "WebView",
    # The library returns Apple Mail for WebKit without a browser's name, which any app on a Mac can send.
    "Apple Mail": "WebView",
    # The library returns the system's name when it finds no browser: native apps and the old stock browser.
    "Android": "",
}
_OS_NAMES = {
    "ATV OS X": "tvOS",
    "Chrome OS": "ChromeOS",
    "Mac OS X": "macOS",
    "Other": "",
    "WatchOS": "watchOS",
    "Web0S": "webOS",
}

# The first pattern that matches determines the form.
_FORMS: tuple[tuple[Form, re.Pattern[str]], ...] = (
    # CUBOT is a brand of phones, not a bot.
    ("bot", re.compile(r"(?<!cu)bots?\b|crawl|spider|slurp|externalhit|headless", re.IGNORECASE)),
    # Televisions and headsets run Android, but they have none of the forms.
    ("", re.compile(r"TV\b|\bAFT|BRAVIA|CrKey|\bVR\b")),
    # This pattern precedes mobile, because the user agent of an iPad also contains `Mobile`. An iPad that requests
    # desktop pages sends `Macintosh` and cannot be recognized.
    ("tablet", re.compile(r"\biPad")),
    ("mobile", re.compile(r"Mobi|\biP(?:hone|od)|Opera Mini")),
    ("desktop", re.compile(r"Windows NT|Macintosh|\b(?:X11|Wayland|CrOS)\b")),
    # A browser sends `Mobile` on an Android phone but not on a tablet. An app (Dalvik) never sends it, so this pattern
    # demands `Mozilla`.
    ("tablet", re.compile(r"^Mozilla/.*\bAndroid\b")),
)


def describe(user_agent: str) -> Device:
    """Return the device that the user agent describes.

    `user_agent` has at most 512 characters, like `Client.user_agent`. An HTTP library (curl, okhttp) is a browser
    without a form, not a bot. Most Android apps send their requests through such a library on behalf of a user.
    """
    return _describe(user_agent)


def label(device: Device) -> str:
    """Return one line by which users recognize the device. The line is never empty.

    Returns `Chrome on macOS` when both are known, and only the browser or the system when the other is unknown: `curl`
    or `Windows`. A bot gets only its browser's name, because its user agent usually names a false system. Returns
    `Unknown device` when browser and system are unknown, even when the form is known.
    """
    if device.browser and device.os and device.form != "bot":
        return f"{device.browser} on {device.os}"
    return device.browser or device.os or UNKNOWN_DEVICE


@lru_cache(maxsize=2048)
def _describe(user_agent: str) -> Device:
    # The patterns took 9 % of the start of a command. Few commands describe a device.
    from .user_agents import parse  # noqa: PLC0415 - see above

    found = parse(user_agent)
    return Device(
        browser=_named(found.user_agent.family, _BROWSER_NAMES) if found.user_agent else "",
        os=_named(found.os.family, _OS_NAMES) if found.os else "",
        form=next((form for form, pattern in _FORMS if pattern.search(user_agent)), ""),
    )


def _named(family: str, names: Mapping[str, str]) -> str:
    # The library copies some families from the user agent together with the surrounding blanks.
    return names.get(family, family).strip()
