"""Callers whose devices and networks all differ."""

from itertools import product

from .client import Api

_GECKO = "Mozilla/5.0 ({}; rv:144.0) Gecko/20100101 Firefox/144.0"
_CHROMIUM = "Mozilla/5.0 ({}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36"
_BROWSERS = (_GECKO, _CHROMIUM, f"{_CHROMIUM} Edg/141.0.0.0", f"{_CHROMIUM} OPR/120.0.0.0")
_SYSTEMS = ("X11; Linux x86_64", "X11; Ubuntu; Linux x86_64", "Windows NT 10.0; Win64; x64", "X11; FreeBSD amd64")


def caller_elsewhere(number: int) -> Api:
    """Return a caller with the device and the network of this number, from 0 to 15. `Api()` has another device."""
    browser, system = list(product(_BROWSERS, _SYSTEMS))[number]
    return Api(ip=f"198.51.{number}.9", user_agent=browser.format(system))
