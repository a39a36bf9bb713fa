"""Settings of the rate limits: how much of what, and where the counters are kept."""

import re
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from django_ratelimit.core import _split_rate

from ..conf import SWITCH, TEXT, WORDS, Kind, section, setting

_PERIODS = {1: "s", 60: "m", 3600: "h", 86400: "d"}


class Rate(NamedTuple):
    """So many attempts in a window of so many seconds."""

    attempts: int
    seconds: int

    def __str__(self) -> str:
        """Return what `read_rate` reads."""
        return f"{self.attempts}/{_PERIODS[self.seconds]}"


# Stricter than django-ratelimit, to which `20/` is a second and `20/minute` a minute.
_RATE = re.compile(r"[1-9][0-9]{0,8}/[smhd]")


def read_rate(text: str) -> Rate:
    """Return the rate that `N/s`, `N/m`, `N/h` or `N/d` spells; ValueError for anything else."""
    if not _RATE.fullmatch(text):
        raise ValueError
    return Rate(*_split_rate(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The rate of each limit; None lets everything pass."""

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
        """Return what the setting RATE_LIMITS reads."""
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
    from redis import ConnectionPool  # noqa: PLC0415 - 20 MB that most deployments never need

    text: str = TEXT.read(value)
    # Makes a connection without opening it: a misspelt option would otherwise come to light in the first login.
    ConnectionPool.from_url(text).make_connection()
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimitSettings:
    """What the rate limits read of their deployment."""

    rate_limits: Limits = setting(
        "RATE_LIMITS",
        Limits(),
        Kind(
            "on, off, or changes to the limits such as login=20/m,signup=off,"
            f" where a limit is one of {', '.join(LIMIT_NAMES)} and a period one of s, m, h, d",
            _read_limits,
        ),
        "How often what may be tried: `N/s`, `N/m`, `N/h` or `N/d`. Limits that are not named keep their default.",
    )
    cache_url: str = setting(
        "CACHE_URL",
        "",
        Kind("a redis://, rediss:// or unix:// URL", _read_cache_url),
        "Redis or Valkey that keeps the counters of the rate limits; empty: the shared store in the database.",
    )


conf = section(RateLimitSettings)
