"""The client of a request: its address, its user agent and its languages."""

import ipaddress
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from django.http import HttpRequest

from ..conf import core_settings

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

USER_AGENT_MAX = 512
ACCEPT_LANGUAGE_MAX = 200
PROXY_HEADER_MAX = 1024
"""The number of characters at the right end of the proxies' header that are read. This suffices for twenty proxies."""

# The pattern matches the last element of a `Forwarded` header (RFC 7239). It also accepts an address with a colon that
# is not quoted.
_PAIR = r'([\w!#$%&\'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+))'
_PAIRS = re.compile(_PAIR, re.ASCII)
_ELEMENT = re.compile(rf"(?:^|,)[ \t]*((?:{_PAIR})?(?:;[ \t]*(?:{_PAIR})?)*)[ \t]*\Z", re.ASCII)
_WITH_PORT = re.compile(r"([0-9.]+):[0-9]+|\[([^\]]+)\](?::[0-9]+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """The address, the user agent and the header `Accept-Language` of the caller.

    `ip` is in its canonical form, or "" when there is no address. `user_agent` has at most 512 characters, and
    `accept_language` at most 200. `key` is the thumbprint of the key whose possession the request proves (RFC 9449), or "".
    """

    ip: str
    user_agent: str
    accept_language: str = ""
    key: str = ""


def client_of(request: HttpRequest) -> Client:
    """Return the client of the request."""
    meta = request.META
    return Client(
        ip=address_of(request),
        user_agent=_printable(meta.get("HTTP_USER_AGENT", "")),
        accept_language=_whole_ranges(meta.get("HTTP_ACCEPT_LANGUAGE", "")),
    )


def address_of(request: HttpRequest) -> str:
    """Return the address of the client in the format of `Client.ip`.

    PROXY_IP_HEADER is read only when a trusted proxy sent the request.
    """
    meta = request.META
    peer = meta.get("REMOTE_ADDR", "")
    trusted = core_settings().trusted_proxies
    if not trusted:
        return _canonical(peer)
    address = parse_address(peer)
    if address is not None:
        name = core_settings().proxy_ip_header
        header = meta.get(f"HTTP_{name.upper().replace('-', '_')}", "")
        nodes = _nodes_of_forwarded if name.lower() == "forwarded" else _nodes_of_list
        address = _client_address(address, nodes=nodes(header[-PROXY_HEADER_MAX:]), trusted=trusted)
    return str(address or "")


def _client_address(peer: Address, *, nodes: Iterator[str], trusted: Sequence[Network]) -> Address:
    """Return the first address from the right that is not a trusted proxy.

    If every readable address is a trusted proxy, return the leftmost readable one. Only the entries that trusted
    proxies appended are reliable. The caller can forge all entries further left.
    """
    address = peer
    while _is_among(address, trusted):
        further = parse_address(_without_port(next(nodes, "")))
        if further is None:
            break
        address = further
    return address


def _nodes_of_list(header: str) -> Iterator[str]:
    """Yield the entries of a comma-separated list, the last one first."""
    for part in reversed(header.split(",")):
        yield part.strip()


def _nodes_of_forwarded(header: str) -> Iterator[str]:
    """Yield the `for` values of a `Forwarded` header (RFC 7239), the last one first.

    Stop at a malformed element. Yield "" for an element without `for`.
    """
    while header and (element := _ELEMENT.search(header)):
        pairs = _PAIRS.finditer(element[1])
        yield next((pair[2] or pair[3] for pair in pairs if pair[1].lower() == "for"), "")
        header = header[: element.start()]


def _is_among(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)


def _without_port(text: str) -> str:
    """Return the address without a port. Some proxies add the port: `203.0.113.9:443`, `[2001:db8::1]:443`."""
    match = _WITH_PORT.fullmatch(text)
    return match[1] or match[2] if match else text


@lru_cache(maxsize=4096)
def parse_address(text: str) -> Address | None:
    """Return the IP address, or None when the text is none. An IPv4 address in the form of IPv6 becomes IPv4."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address


@lru_cache(maxsize=4096)
def _canonical(text: str) -> str:
    """Return the address in its canonical form, or "" when the text is none. Python builds that form at each `str`."""
    return str(parse_address(text) or "")


def _whole_ranges(header: str) -> str:
    """Return the header without the language ranges that lie beyond the limit. Half a range would be malformed."""
    return header if len(header) <= ACCEPT_LANGUAGE_MAX else header[:ACCEPT_LANGUAGE_MAX].rpartition(",")[0]


def _printable(text: str) -> str:
    return text if text.isprintable() and len(text) <= USER_AGENT_MAX else _clean(text)


def _clean(text: str) -> str:
    return "".join(character for character in text if character.isprintable())[:USER_AGENT_MAX]
