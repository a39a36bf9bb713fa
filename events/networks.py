"""The networks of IP addresses: an address of IPv4 belongs to its /24, and an address of IPv6 to its /64.

An index of the audit events has these networks. Statements on `NetworkOf` need PostgreSQL.
"""

import ipaddress
import re
from typing import Any, TypeAlias

from django.db.models import BooleanField, Func, QuerySet, TextField, Value
from django.db.models.lookups import Exact
from django.db.models.sql.compiler import SQLCompiler

from core.http.client import Network, parse_address

LENGTHS = {4: 24, 6: 64}
"""The length in bits of the networks of the index, by the version of IP."""
_MAPPED_BITS = 96
"""The bits before the IPv4 address in an IPv6 address that contains one."""
_ZONE = re.compile(r"%[^/]*")

Sql: TypeAlias = tuple[str, Any]


NETWORK_SQL = (
    "network(set_masklen(split_part(ip, '%%', 1)::inet, CASE WHEN position(':' in ip) > 0 THEN 64 ELSE 24 END))"
)
"""The expression of NetworkOf on the column `ip`, for a statement with parameters."""


class NetworkOf(Func):
    """The /24 or the /64 of a column with addresses in the format of `Client.ip`. The column is not blank.

    SQLite has no function for networks, and no index of them. There the expression is the address.
    """

    arity = 1
    output_field = TextField()
    template = (
        "network(set_masklen(split_part(%(expressions)s, '%%%%', 1)::inet, "
        "CASE WHEN position(':' in %(expressions)s) > 0 THEN 64 ELSE 24 END))"
    )

    def as_sqlite(self, compiler: SQLCompiler, connection: Any, **extra: Any) -> Sql:
        """Return the address."""
        return self.as_sql(compiler, connection, template="%(expressions)s", **extra)


class _AsAddress(Func):
    template = "split_part(%(expressions)s, '%%%%', 1)::inet"
    output_field = TextField()


class _AsNetwork(Func):
    template = "%(expressions)s::cidr"
    output_field = TextField()


class _IsWithin(Func):
    template = "%(expressions)s"
    arg_joiner = " <<= "
    output_field = BooleanField()


def network_of(ip: str) -> Network | None:
    """Return the /24 or the /64 of the address. Return None when the text is no address."""
    address = parse_address(ip.partition("%")[0])
    return ipaddress.ip_network((address, LENGTHS[address.version]), strict=False) if address else None


def read_network(text: str) -> Network | None:
    """Return the network, or None when the text is none or a network that is larger than those of the index.

    The text has the forms of `read_any_network`.
    """
    network = read_any_network(text)
    return network if network is not None and network.prefixlen >= LENGTHS[network.version] else None


def read_any_network(text: str) -> Network | None:
    """Return the network, or None when the text is none.

    The text may contain an address of the network instead of its first one. An address alone is a network too. An IPv4
    network in the form of IPv6 becomes IPv4. The zone of an address, such as `%eth0`, is left out.
    """
    try:
        network = ipaddress.ip_network(_ZONE.sub("", text), strict=False)
    except ValueError:
        return None
    mapped = getattr(network.network_address, "ipv4_mapped", None)
    if mapped and network.prefixlen >= _MAPPED_BITS:
        network = ipaddress.ip_network((mapped, network.prefixlen - _MAPPED_BITS), strict=False)
    return network


def in_network_of(rows: QuerySet[Any], network: Network) -> QuerySet[Any]:
    """Return the rows whose address lies in the /24 or the /64 around the network. The index has these rows."""
    around = network.supernet(new_prefix=LENGTHS[network.version])
    return rows.exclude(ip="").filter(Exact(NetworkOf("ip"), _AsNetwork(Value(str(around)))))


def within(rows: QuerySet[Any], network: Network) -> QuerySet[Any]:
    """Return the rows whose address lies in the network. This condition needs an index for another one."""
    return rows.exclude(ip="").filter(_IsWithin(_AsAddress("ip"), _AsNetwork(Value(str(network)))))
