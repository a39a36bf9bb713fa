"""Functions that count attempts and raise RateLimited when a limit is exceeded."""

import os
import socket
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime

from django.db.backends.base.base import NO_DB_ALIAS, BaseDatabaseWrapper

from ..errors import RateLimited
from .blocked import blocked, sources
from .conf import Limit, Rate, settings
from .local import LocalCounter
from .shared import SharedCounter
from .windows import Window, window_of

# Every request reads it, and a global name is read faster than a member of an enumeration.
_EDGE = Limit.EDGE

_shared = SharedCounter()
_local: defaultdict[Limit, LocalCounter] = defaultdict(LocalCounter)

os.register_at_fork(before=_shared.halt, after_in_parent=_shared.resume, after_in_child=_shared.resume)


def hit(limit: Limit, key: str, *, now: datetime) -> None:
    """Count an attempt against the limit. Raises RateLimited when the attempt exceeds the limit.

    `key` identifies the source of the attempt. It is an account's id, an `email_key` or the `network_key()` of an
    address. It can also join two of these by a blank. The store keeps only a keyed digest of the key.
    """
    hit_all((limit, key), now=now)


def hit_all(*attempts: tuple[Limit, str], now: datetime) -> None:
    """Count an attempt against several limits in one round trip. Each attempt is a pair of a limit and a key.

    Raises RateLimited when the attempt exceeds at least one limit. Every limit counts the attempt, even when another
    limit refuses it. The keys have the form that `hit` describes.
    """
    rates = settings().rate_limits
    second = int(now.timestamp())
    windows: dict[Window, tuple[Limit, Rate]] = {}
    for limit, key in attempts:
        rate = rates[limit]
        if rate is not None:
            windows[window_of(limit, key, rate=rate, second=second)] = limit, rate
    if not windows:
        return
    counts = _shared.add(windows.keys(), second=second)
    if counts is None:
        _hit_locally(windows, second=second)
        return
    passed = [window.ends_at for window, (_, rate) in windows.items() if counts[window.key] > rate.attempts]
    if passed:
        raise RateLimited(retry_after=max(passed) - second)


def is_answering(*, now: datetime) -> bool:
    """Return whether the store of the counters works. The call counts one attempt that belongs to no limit."""
    second = int(now.timestamp())
    window = window_of("", "", rate=Rate(attempts=1, seconds=1), second=second)
    return _shared.add([window], second=second) is not None


def _hit_locally(windows: Mapping[Window, tuple[Limit, Rate]], *, second: int) -> None:
    """Count in this process alone, against half of each limit, because every process then permits that many attempts.

    Raises RateLimited when the attempt exceeds half of a limit.
    """
    passed = []
    for window, (limit, rate) in windows.items():
        count, ends_at = _local[limit].add(window.key, seconds=rate.seconds, second=second)
        if count > max(1, rate.attempts // 2):
            passed.append(ends_at)
    if passed:
        raise RateLimited(retry_after=max(passed) - second)


def hit_edge(ip: str, *, now: datetime, requests: int = 1) -> None:
    """Count a request of the address against the limit `edge`, in this process alone.

    `requests` is the number of requests as which it counts. Raises RateLimited when the request exceeds the limit, and
    for an address in a blocked network.
    """
    if sources:
        blocked.check(ip, now=now)
    rate = settings().rate_limits.by_limit[_EDGE]
    if rate is None:
        return
    second = int(now.timestamp())
    count, ends_at = _local[_EDGE].add(network_key(ip), seconds=rate.seconds, second=second, attempts=requests)
    if count > rate.attempts:
        raise RateLimited(retry_after=ends_at - second)


def network_key(ip: str) -> str:
    """Return the key under which the requests of an address are counted.

    `ip` has the format of `Client.ip`. The key of an IPv4 address is the address itself. The key of an IPv6 address is
    its /64 network, because a client can use all addresses of its /64. The key of "" is "".
    """
    if ":" not in ip:
        return ip
    return socket.inet_pton(socket.AF_INET6, ip.partition("%")[0])[:8].hex(":", 2) + "::/64"


def close() -> None:
    """Close this process's connection to the store. The next attempt opens a new one."""
    _shared.close()


def close_before_drop(*, connection: BaseDatabaseWrapper, **_: object) -> None:
    """Close this process's connection to the store when Django connects in order to make or drop a test database.

    PostgreSQL refuses to drop or copy a database to which there are connections. The signal `connection_created` calls
    this function.
    """
    if connection.alias == NO_DB_ALIAS:
        close()
