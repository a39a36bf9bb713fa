"""Networks whose requests are refused until a time, as the limit `edge` refuses a caller with too many requests.

Each process keeps a copy of the list, which a thread reads again every REFRESH_SECONDS. So no request waits for the
list, and a request runs no statement for it.
"""

import ipaddress
import logging
import threading
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple, Protocol, TypeAlias

from django.db import Error, connection

from ..errors import DbUnreachable, Overloaded, RateLimited
from ..registry import Registry
from ..threads import database_slots

logger = logging.getLogger("authsvc.ratelimit")

REFRESH_SECONDS = 5
"""The age in seconds at which the next request makes a thread read the list again."""


class Block(NamedTuple):
    """A refused network, such as `203.0.113.0/24`, and the end of its block."""

    network: str
    ends_at: datetime


class BlockSource(Protocol):
    """Where the blocks are stored."""

    def is_on(self) -> bool:
        """Return whether blocks count. Every request asks, so the answer needs no statement."""

    def read(self, *, now: datetime) -> Iterable[Block]:
        """Return the blocks that have not ended. Runs one statement."""


sources: Registry[BlockSource] = Registry()

_Copy: TypeAlias = Mapping[tuple[int, int], Mapping[int, datetime]]
"""The ends of blocks by the IP version and the length of the prefix, and by the prefix as a number."""


class BlockedNetworks:
    """The copy of this process."""

    def __init__(self) -> None:
        self._ends: _Copy = {}
        self._read_at: datetime | None = None
        self._turn = threading.Lock()

    def check(self, ip: str, *, now: datetime) -> None:
        """Raise RateLimited, with the seconds until the end, when the IP address is in a blocked network.

        A first request and one after REFRESH_SECONDS start the thread that reads the list. They use the copy as it is.
        """
        for source in sources:
            if not source.is_on():
                return
            if self._is_old(now):
                self._start_refresh(source, now=now)
        if self._ends and ip and (ends_at := self.find_end(ip)) is not None and ends_at > now:
            raise RateLimited(retry_after=max(1, round((ends_at - now).total_seconds())))

    def find_end(self, ip: str) -> datetime | None:
        """Return the latest end of the blocks of the IP address, which may be over. Return None without a block."""
        address = ipaddress.ip_address(ip.partition("%")[0])
        number, version, bits = int(address), address.version, address.max_prefixlen
        found = [
            ends[number >> (bits - length)]
            for (of_version, length), ends in self._ends.items()
            if of_version == version and number >> (bits - length) in ends
        ]
        return max(found, default=None)

    def refresh(self, source: BlockSource, *, now: datetime) -> None:
        """Read the list in the calling thread, so that a new block counts at once in this process."""
        ends: dict[tuple[int, int], dict[int, datetime]] = {}
        for block in source.read(now=now):
            network = ipaddress.ip_network(block.network)
            prefix = int(network.network_address) >> (network.max_prefixlen - network.prefixlen)
            ends.setdefault((network.version, network.prefixlen), {})[prefix] = block.ends_at
        self._ends, self._read_at = ends, now

    def _is_old(self, now: datetime) -> bool:
        return self._read_at is None or abs((now - self._read_at).total_seconds()) >= REFRESH_SECONDS

    def _start_refresh(self, source: BlockSource, *, now: datetime) -> None:
        if not self._turn.acquire(blocking=False):
            return
        # Set first: while the database does not answer, the next attempt comes after the usual time.
        self._read_at = now
        threading.Thread(target=self._refresh_in_thread, args=(source, now), daemon=True).start()

    def _refresh_in_thread(self, source: BlockSource, now: datetime) -> None:
        try:
            with database_slots.taken_beyond():
                self.refresh(source, now=now)
        except (Error, DbUnreachable, Overloaded):
            # The copy stays. Each block in it ends at its time.
            logger.debug("the list of blocked networks could not be read")
        finally:
            connection.close()
            self._turn.release()


blocked = BlockedNetworks()
