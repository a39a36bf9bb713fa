"""Settings of the rate limits: the rate of each limit, and the store of the counters."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
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


class Limit(StrEnum):
    """The limits. The value of a member is its name in the setting RATE_LIMITS."""

    SIGNUP = "signup"
    LOGIN = "login"
    LOGIN_IP = "login_ip"
    LOGIN_FALLBACK = "login_fallback"
    LOGIN_CODE = "login_code"
    COMPLETION = "completion"
    COMPLETION_IP = "completion_ip"
    MAIL = "mail"
    MAIL_IP = "mail_ip"
    MAIL_ACCOUNT = "mail_account"
    MAILBOX = "mailbox"
    PASSWORD = "password"  # noqa: S105 - a limit's name
    REFRESH = "refresh"
    AUTHORIZE = "authorize"
    PUSHED = "pushed"
    DEVICE = "device"
    API_KEYS = "api_keys"
    ASK_AI = "ask_ai"
    ASK_AI_IP = "ask_ai_ip"
    EXPORT = "export"
    EDGE = "edge"


@dataclass(frozen=True, slots=True)
class Rates:
    """The rate of each limit. A limit whose rate is None is off."""

    by_limit: Mapping[Limit, Rate | None]

    def __getitem__(self, limit: Limit) -> Rate | None:
        return self.by_limit[limit]

    def __str__(self) -> str:
        """Return the rates in the format of the setting RATE_LIMITS."""
        return ",".join(f"{limit}={rate or 'off'}" for limit, rate in self.by_limit.items())


DEFAULT_RATES = Rates(
    {
        Limit.SIGNUP: Rate(30, 60),
        Limit.LOGIN: Rate(10, 60),
        Limit.LOGIN_IP: Rate(100, 60),
        Limit.LOGIN_FALLBACK: Rate(600, 60),
        Limit.LOGIN_CODE: Rate(20, 3600),
        Limit.COMPLETION: Rate(10, 60),
        Limit.COMPLETION_IP: Rate(60, 60),
        Limit.MAIL: Rate(5, 60),
        Limit.MAIL_IP: Rate(30, 60),
        Limit.MAIL_ACCOUNT: Rate(5, 60),
        Limit.MAILBOX: Rate(20, 3600),
        Limit.PASSWORD: Rate(10, 60),
        Limit.REFRESH: Rate(60, 60),
        Limit.AUTHORIZE: Rate(60, 60),
        Limit.PUSHED: Rate(600, 60),
        Limit.DEVICE: Rate(10, 60),
        Limit.API_KEYS: Rate(20, 60),
        Limit.ASK_AI: Rate(20, 60),
        Limit.ASK_AI_IP: Rate(60, 60),
        Limit.EXPORT: Rate(240, 3600),
        Limit.EDGE: Rate(3000, 60),
    }
)


def _read_rates(value: Any) -> Rates:
    with suppress(ValueError):
        return DEFAULT_RATES if SWITCH.read(value) else Rates(dict.fromkeys(Limit))
    changed: dict[Limit, Rate | None] = {}
    for word in WORDS.read(value):
        name, _, rate = word.partition("=")
        changed[Limit(name)] = None if rate == "off" else read_rate(rate)
    return Rates({**DEFAULT_RATES.by_limit, **changed})


def _read_cache_url(value: Any) -> str:
    from redis import ConnectionPool  # noqa: PLC0415 - the package takes 20 MB, and most deployments never need it

    text: str = TEXT.read(value)
    # This creates a connection object but does not connect. Otherwise the first login would reveal a misspelt option.
    ConnectionPool.from_url(text).make_connection()
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimitSettings:
    """The settings of the rate limits."""

    rate_limits: Rates = setting(
        "RATE_LIMITS",
        DEFAULT_RATES,
        Kind(
            "on, off, or changes such as login=20/m,signup=off. A limit is one of"
            f" {', '.join(Limit)}. A period is one of s, m, h, d",
            _read_rates,
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
