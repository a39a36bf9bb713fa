"""Who is at the other end of a request: address and user agent."""

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from django.http import HttpRequest

from .conf import core

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

USER_AGENT_MAX = 512

_WITH_PORT = re.compile(r"([0-9.]+):[0-9]+|\[([^\]]+)\](?::[0-9]+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """The caller's address, in its canonical spelling ("" when there is none), and user agent, at most 512 characters."""

    ip: str
    user_agent: str


def client_of(request: HttpRequest) -> Client:
    """Return the client of the request; X-Forwarded-For counts only when a trusted proxy sent it."""
    meta = request.META
    return Client(
        ip=client_ip(
            peer=meta.get("REMOTE_ADDR", ""),
            forwarded=meta.get("HTTP_X_FORWARDED_FOR", ""),
            trusted=core().trusted_proxies,
        ),
        user_agent=_printable(meta.get("HTTP_USER_AGENT", "")),
    )


def client_ip(*, peer: str, forwarded: str, trusted: Sequence[Network]) -> str:
    """Return the first address from the right that is no trusted proxy, or the last one that could be read.

    Only what the proxies of the deployment appended can be believed: everything further left is the caller's to write.
    """
    address = _address(peer)
    if address is None or not trusted or not _is_among(address, trusted):
        return str(address) if address else ""
    for part in reversed(forwarded.split(",") if forwarded else []):
        further = _address(_without_port(part.strip()))
        if further is None:
            break
        address = further
        if not _is_among(address, trusted):
            break
    return str(address)


def _is_among(address: ipaddress.IPv4Address | ipaddress.IPv6Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)


def _without_port(text: str) -> str:
    """Some proxies write the port as well: `203.0.113.9:443`, `[2001:db8::1]:443`."""
    match = _WITH_PORT.fullmatch(text)
    return match[1] or match[2] if match else text


@lru_cache(maxsize=4096)
def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address


def _printable(text: str) -> str:
    return text if text.isprintable() and len(text) <= USER_AGENT_MAX else _clean(text)


def _clean(text: str) -> str:
    return "".join(character for character in text if character.isprintable())[:USER_AGENT_MAX]
