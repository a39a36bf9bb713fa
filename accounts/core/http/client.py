"""Who is at the other end of a request: address and user agent."""

import ipaddress
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from django.http import HttpRequest

from ..conf import core

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

USER_AGENT_MAX = 512
PROXY_HEADER_MAX = 1024
"""Characters that are read of the proxies' header, from its right end: enough for twenty proxies."""

# An element of RFC 7239's `Forwarded`, at the end of the header. Addresses with a colon stand there without quotes too.
_PAIR = r'([\w!#$%&\'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+))'
_PAIRS = re.compile(_PAIR, re.ASCII)
_ELEMENT = re.compile(rf"(?:^|,)[ \t]*((?:{_PAIR})?(?:;[ \t]*(?:{_PAIR})?)*)[ \t]*\Z", re.ASCII)
_WITH_PORT = re.compile(r"([0-9.]+):[0-9]+|\[([^\]]+)\](?::[0-9]+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """The caller's address, in its canonical spelling ("" when there is none), and user agent, at most 512 characters."""

    ip: str
    user_agent: str


def client_of(request: HttpRequest) -> Client:
    """Return the client of the request; PROXY_IP_HEADER counts only when a trusted proxy sent it."""
    meta = request.META
    address = _address(meta.get("REMOTE_ADDR", ""))
    if address is not None and (trusted := core().trusted_proxies):
        name = core().proxy_ip_header
        header = meta.get(f"HTTP_{name.upper().replace('-', '_')}", "")
        nodes = _nodes_of_forwarded if name.lower() == "forwarded" else _nodes_of_list
        address = _client_address(address, nodes=nodes(header[-PROXY_HEADER_MAX:]), trusted=trusted)
    return Client(ip=str(address or ""), user_agent=_printable(meta.get("HTTP_USER_AGENT", "")))


def _client_address(peer: Address, *, nodes: Iterator[str], trusted: Sequence[Network]) -> Address:
    """Return the first address from the right that is no trusted proxy, or the last one that could be read.

    Only what the proxies of the deployment appended can be believed: everything further left is the caller's to write.
    """
    address = peer
    while _is_among(address, trusted):
        further = _address(_without_port(next(nodes, "")))
        if further is None:
            break
        address = further
    return address


def _nodes_of_list(header: str) -> Iterator[str]:
    """Yield the entries of a comma-separated list, the last one first."""
    for part in reversed(header.split(",")):
        yield part.strip()


def _nodes_of_forwarded(header: str) -> Iterator[str]:
    """Yield what the elements of RFC 7239 say in `for`, the last one first, up to one that is malformed."""
    while header and (element := _ELEMENT.search(header)):
        pairs = _PAIRS.finditer(element[1])
        yield next((pair[2] or pair[3] for pair in pairs if pair[1].lower() == "for"), "")
        header = header[: element.start()]


def _is_among(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)


def _without_port(text: str) -> str:
    """Some proxies write the port as well: `203.0.113.9:443`, `[2001:db8::1]:443`."""
    match = _WITH_PORT.fullmatch(text)
    return match[1] or match[2] if match else text


@lru_cache(maxsize=4096)
def _address(text: str) -> Address | None:
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
