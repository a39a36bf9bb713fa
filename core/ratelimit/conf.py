"""Settings of the rate limits: the rate of each limit, and the store of the counters."""

import re
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from ..conf import SWITCH, TEXT, WORDS, Kind, section, setting

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_PERIODS = {seconds: period for period, seconds in _SECONDS.items()}
_RATE = re.compile(r"([1-9][0-9]{0,8})/([smhd])")


class Rate(NamedTuple):
    """The number of permitted attempts in a window, and the length of the window in seconds."""

    attempts: int
    seconds: int

    def __str__(self) -> str:
        """Return the rate in the format that `read_rate` reads."""
        return f"{self.attempts}/{_PERIODS[self.seconds]}"


def read_rate(text: str) -> Rate:
    """Return the rate of a text such as `20/m`.

    The text is `N/s`, `N/m`, `N/h` or `N/d`. Raises ValueError for every other text.
    """
    match = _RATE.fullmatch(text)
    if match is None:
        raise ValueError
    return Rate(int(match[1]), _SECONDS[match[2]])


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The rate of each limit. None turns the limit off."""

    signup: Rate | None = read_rate("30/m")
    login: Rate | None = read_rate("10/m")
    login_ip: Rate | None = read_rate("100/m")
    completion: Rate | None = read_rate("10/m")
    completion_ip: Rate | None = read_rate("60/m")
    mail: Rate | None = read_rate("5/m")
    mail_ip: Rate | None = read_rate("30/m")
    mail_account: Rate | None = read_rate("5/m")
    mailbox: Rate | None = read_rate("20/h")
    password: Rate | None = read_rate("10/m")
    refresh: Rate | None = read_rate("60/m")
    api_keys: Rate | None = read_rate("20/m")
    ask_ai: Rate | None = read_rate("20/m")
    edge: Rate | None = read_rate("3000/m")

    def __str__(self) -> str:
        """Return the limits in the format of the setting RATE_LIMITS."""
        return ",".join(f"{name}={getattr(self, name) or 'off'}" for name in LIMIT_NAMES)


LIMIT_NAMES = tuple(item.name for item in fields(Limits))


def _read_limits(value: Any) -> Limits:
    with suppress(ValueError):
        return Limits() if SWITCH.read(value) else Limits(**dict.fromkeys(LIMIT_NAMES))
    overrides = {}
    for word in WORDS.read(value):
        name, _, rate = word.partition("=")
        overrides[name] = None if rate == "off" else read_rate(rate)
    return replace(Limits(), **overrides)


def _read_cache_url(value: Any) -> str:
    from redis import ConnectionPool  # noqa: PLC0415 - the package takes 20 MB, and most deployments never need it

    text: str = TEXT.read(value)
    # This creates a connection object but does not connect. Otherwise the first login would reveal a misspelt option.
    ConnectionPool.from_url(text).make_connection()
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimitSettings:
    """The settings of the rate limits."""

    rate_limits: Limits = setting(
        "RATE_LIMITS",
        Limits(),
        Kind(
            "on, off, or changes such as login=20/m,signup=off. A limit is one of"
            f" {', '.join(LIMIT_NAMES)}. A period is one of s, m, h, d",
            _read_limits,
        ),
        "Number of permitted attempts for each limit: `N/s`, `N/m`, `N/h` or `N/d`. Limits that are not listed keep their "
        "default.",
    )
    cache_url: str = setting(
        "CACHE_URL",
        "",
        Kind("a redis://, rediss:// or unix:// URL", _read_cache_url),
        "Redis or Valkey server for the counters of the rate limits. Unset: the database keeps them.",
    )


settings = section(RateLimitSettings)
