"""Counting attempts and refusing those that are too many."""

import os
import socket
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime

from ..errors import RateLimited
from .conf import Rate, conf
from .local import LocalCounter
from .shared import SharedCounter
from .windows import Window, window_of

_shared = SharedCounter()
_local: defaultdict[str, LocalCounter] = defaultdict(LocalCounter)

os.register_at_fork(before=_shared.halt, after_in_parent=_shared.resume, after_in_child=_shared.resume)


def hit(name: str, key: str, *, now: datetime) -> None:
    """Count an attempt against the limit of that name. RateLimited when it is one too many.

    The key says whose: an account's id, an `email_key`, the `network_key()` of an address, or two of them with a
    blank between. It is stored as a keyed digest only.
    """
    hit_all((name, key), now=now)


def hit_all(*attempts: tuple[str, str], now: datetime) -> None:
    """Count an attempt against several limits, pairs of name and key, in one round trip. RateLimited when one is passed.

    All of them count it, whichever refuses.
    """
    limits = conf().rate_limits
    second = int(now.timestamp())
    windows: dict[Window, tuple[str, Rate]] = {}
    for name, key in attempts:
        rate: Rate | None = getattr(limits, name)
        if rate is not None:
            windows[window_of(name, key, rate=rate, second=second)] = name, rate
    if not windows:
        return
    counts = _shared.add(windows.keys(), second=second)
    if counts is None:
        _hit_locally(windows, second=second)
        return
    passed = [window.ends_at for window, (_, rate) in windows.items() if counts[window.key] > rate.attempts]
    if passed:
        raise RateLimited(retry_after=max(passed) - second)


def _hit_locally(windows: Mapping[Window, tuple[str, Rate]], *, second: int) -> None:
    """Count at half the limit, since every process then allows that much."""
    passed = []
    for window, (name, rate) in windows.items():
        count, ends_at = _local[name].add(window.key, seconds=rate.seconds, second=second)
        if count > max(1, rate.attempts // 2):
            passed.append(ends_at)
    if passed:
        raise RateLimited(retry_after=max(passed) - second)


def hit_edge(ip: str, *, now: datetime) -> None:
    """Count a request of the address against the limit `edge`, in this process alone. RateLimited when it is passed."""
    rate = conf().rate_limits.edge
    if rate is None:
        return
    second = int(now.timestamp())
    count, ends_at = _local["edge"].add(network_key(ip), seconds=rate.seconds, second=second)
    if count > rate.attempts:
        raise RateLimited(retry_after=ends_at - second)


def network_key(ip: str) -> str:
    """Return what an address, spelt as `Client.ip` spells it, counts as: IPv4 as it is, IPv6 by its /64, "" as "".

    A caller has all addresses of a /64.
    """
    if ":" not in ip:
        return ip
    return socket.inet_pton(socket.AF_INET6, ip.partition("%")[0])[:8].hex(":", 2) + "::/64"


def close() -> None:
    """Give up this process's connection to the store; the next attempt makes a new one.

    For whoever drops the database afterwards, such as a test run.
    """
    _shared.close()
