"""What a user agent says of the device behind it. It is a claim: good for recognizing one's own sessions, no evidence."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from ua_parser import Domain
from ua_parser.loaders import load_lazy_builtins
from ua_parser.regex import Resolver

Form: TypeAlias = Literal["desktop", "mobile", "tablet", "bot", ""]


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A browser (or app, or HTTP library), its system and what one holds in hand; "" for what the user agent leaves open.

    Browser and system are named as people know them, without version. An app's built-in browser is `WebView`.
    """

    browser: str
    os: str
    form: Form


UNKNOWN = "Unknown device"

# The library's patterns for device models stay out: nothing here asks for a model, and they cost 14 MB a process.
_browsers, _systems, _ = load_lazy_builtins()
_resolver = Resolver((_browsers, _systems, []))
_BROWSER_AND_OS = Domain.USER_AGENT | Domain.OS

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
    # What the library calls Apple Mail is WebKit without a browser's name: any app on a Mac.
    "Apple Mail": "WebView",
    # The system's name, for want of a browser's: native apps and the stock browser of long ago.
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

# The first that is found decides.
_FORMS: tuple[tuple[Form, re.Pattern[str]], ...] = (
    # CUBOT makes phones.
    ("bot", re.compile(r"(?<!cu)bots?\b|crawl|spider|slurp|externalhit|headless", re.IGNORECASE)),
    # Televisions and headsets run Android and are none of the forms.
    ("", re.compile(r"TV\b|\bAFT|BRAVIA|CrKey|\bVR\b")),
    # Before mobile, which an iPad says too. One that asks for desktop pages says Macintosh and cannot be told.
    ("tablet", re.compile(r"\biPad")),
    ("mobile", re.compile(r"Mobi|\biP(?:hone|od)|Opera Mini")),
    ("desktop", re.compile(r"Windows NT|Macintosh|\b(?:X11|Wayland|CrOS)\b")),
    # A browser on an Android phone says Mobile. An app (Dalvik) says it on neither.
    ("tablet", re.compile(r"^Mozilla/.*\bAndroid\b")),
)


def describe(user_agent: str) -> Device:
    """Return what the user agent, at most 512 characters as Client holds it, says of the device.

    An HTTP library (curl, okhttp) is a browser without a form, not a bot: most Android apps speak through one, with a
    person in front.
    """
    return _describe(user_agent)


def label(device: Device) -> str:
    """Return one line by which people recognize the device; never empty.

    `Chrome on macOS`; of half-known ones the half that is known, `curl` or `Windows`; a bot goes by its name alone,
    since the system it claims is a disguise; `Unknown device` without browser and system, whatever the form.
    """
    if device.browser and device.os and device.form != "bot":
        return f"{device.browser} on {device.os}"
    return device.browser or device.os or UNKNOWN


@lru_cache(maxsize=2048)
def _describe(user_agent: str) -> Device:
    found = _resolver(user_agent, _BROWSER_AND_OS)
    return Device(
        browser=_named(found.user_agent.family, _BROWSER_NAMES) if found.user_agent else "",
        os=_named(found.os.family, _OS_NAMES) if found.os else "",
        form=next((form for form, pattern in _FORMS if pattern.search(user_agent)), ""),
    )


def _named(family: str, names: Mapping[str, str]) -> str:
    # Some families are cut out of the user agent as they stand there, surrounding blanks included.
    return names.get(family, family).strip()
