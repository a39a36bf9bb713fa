"""Blocks of networks by operators: the text of a network, the list, and its changes. Each change is an event."""

import ipaddress
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext

from core.conf import core_settings
from core.db.transactions import transaction_required, write
from core.http.client import Client, Network
from core.ratelimit.blocked import Block, blocked
from events.audit import record
from events.networks import read_any_network
from events.vocabulary import EventType

from ..account_acts.conf import act_settings
from ..models import BlockedNetwork
from ..operators.acts import COMMAND_LINE, record_act
from ..wording.numbers import number

HOURS_MAX = 168
LIVE_MAX = 1_000
SHORTEST_PREFIX = {4: 16, 6: 32}
"""The widest network that one block can cover, by IP version. A wider one hits whole providers."""

KEPT = timedelta(days=1)


class BlockRefused(Exception):
    """The network cannot be blocked. The message gives the reason to the operator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockOrder:
    """A block that an operator orders. `is_own_accepted` is true when the operator accepts a block of the own address."""

    network: str
    hours: int
    reason: str
    operator_id: str
    client: Client
    is_own_accepted: bool


class OwnNetwork(BlockRefused):
    """The network contains the address of the operator, who would lose the console."""


class StoredBlocks:
    """The blocks in the table, for the limit `edge`."""

    def is_on(self) -> bool:
        """Return whether OPERATOR_ACTS is on."""
        return act_settings().is_on

    def read(self, *, now: datetime) -> Iterable[Block]:
        """Return the blocks that have not ended."""
        rows = BlockedNetwork.objects.filter(ends_at__gt=now).order_by("-ends_at")
        return [Block(network, ends_at) for network, ends_at in rows.values_list("network", "ends_at")[:LIVE_MAX]]


SOURCE = StoredBlocks()


def parse_network(text: str) -> Network:
    """Return the network of an address or of a network. Raises BlockRefused when the text is neither, or cannot be blocked."""
    network = read_any_network(text.strip())
    if network is None:
        raise BlockRefused(gettext("Type an IP address or a network, such as 203.0.113.7 or 203.0.113.0/24."))
    shortest = SHORTEST_PREFIX[network.version]
    if network.prefixlen < shortest:
        raise BlockRefused(
            gettext("The network is too large. A block covers at most a /%(prefix)s.") % {"prefix": shortest}
        )
    if network.is_loopback or network.is_unspecified or network.is_multicast:
        raise BlockRefused(gettext("No client has an address of this network."))
    if any(proxy.version == network.version and proxy.overlaps(network) for proxy in core_settings().trusted_proxies):
        raise BlockRefused(
            gettext("TRUSTED_PROXIES has an address of this network. The block would refuse every client.")
        )
    return network


def list_blocks(*, now: datetime) -> Sequence[BlockedNetwork]:
    """Return the blocks that have not ended, the next end first."""
    return list(BlockedNetwork.objects.filter(ends_at__gt=now).order_by("ends_at", "pk")[:LIVE_MAX])


def block(order: BlockOrder, *, now: datetime) -> datetime:
    """Block the network for the hours from now on, and return the end. A present block of the same network is replaced.

    Raises BlockRefused as `parse_network` does, and OwnNetwork for the operator's own network unless it is accepted. The
    other processes refuse the network within REFRESH_SECONDS. Opens its own transaction.
    """
    network = parse_network(order.network)
    ip = order.client.ip.partition("%")[0]
    if ip and not order.is_own_accepted and ipaddress.ip_address(ip) in network:
        raise OwnNetwork(
            gettext("This network contains your own address, %(ip)s. You would lose the console until the block ends.")
            % {"ip": ip}
        )
    ends_at = now + timedelta(hours=order.hours)
    _block(order, str(network), ends_at=ends_at, now=now)
    blocked.refresh(SOURCE, now=now)
    return ends_at


def unblock(*, network: str, reason: str, operator_id: str, client: Client, now: datetime) -> bool:
    """End the block of the network, and return whether there was one. Opens its own transaction."""
    is_ended = _unblock(network, reason=reason, operator_id=operator_id, client=client, now=now)
    blocked.refresh(SOURCE, now=now)
    return is_ended


@write
def unblock_by_command(*, network: str, os_user: str, now: datetime) -> bool:
    """End the block of the network by a command of the host, and return whether there was one."""
    if not _live(now).filter(network=network).delete()[0]:
        return False
    metadata = {
        "author": COMMAND_LINE,
        "act": "unblock-network",
        "step": "done",
        "network": network,
        "os_user": os_user,
    }
    record(
        event=EventType.OPERATOR_ACTED, user_id=None, client=Client(ip="", user_agent=""), now=now, metadata=metadata
    )
    return True


def prunable_blocks(now: datetime) -> "QuerySet[BlockedNetwork]":
    """Return the blocks that ended a day ago. The events keep their history."""
    return BlockedNetwork.objects.filter(ends_at__lt=now - KEPT)


@write
def _block(order: BlockOrder, network: str, *, ends_at: datetime, now: datetime) -> None:
    if _live(now).exclude(network=network).count() >= LIVE_MAX:
        raise BlockRefused(
            gettext("%(number)s networks are blocked already. Block such an attack at your proxy.")
            % {"number": number(LIVE_MAX)}
        )
    row = BlockedNetwork(
        network=network, reason=order.reason, author_id=order.operator_id, blocked_at=now, ends_at=ends_at
    )
    BlockedNetwork.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["network"],
        update_fields=["reason", "author_id", "blocked_at", "ends_at"],
    )
    _record("block-network", network, order.reason, order.operator_id, order.client, now=now, hours=order.hours)


@write
def _unblock(network: str, *, reason: str, operator_id: str, client: Client, now: datetime) -> bool:
    if not _live(now).filter(network=network).delete()[0]:
        return False
    _record("unblock-network", network, reason, operator_id, client, now=now)
    return True


@transaction_required
def _record(
    act: str, network: str, reason: str, operator_id: str, client: Client, *, now: datetime, **metadata: Any
) -> None:
    record_act(
        act=EventType.OPERATOR_ACTED,
        operator_id=operator_id,
        client=client,
        now=now,
        metadata={"act": act, "step": "done", "network": network, "reason": reason, **metadata},
    )


def _live(now: datetime) -> "QuerySet[BlockedNetwork]":
    return BlockedNetwork.objects.filter(ends_at__gt=now)
