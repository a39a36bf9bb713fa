"""The conditions under which every peer runs, and the reason why a peer cannot run here."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from argon2 import PasswordHasher
from psycopg.conninfo import conninfo_to_dict

from tests.load.paths import CONNECTIONS
from tests.load.service import PASSWORD, create_database

WORKERS = 2
DATABASE_CONNECTIONS = WORKERS * CONNECTIONS
"""The largest number of connections of a peer to PostgreSQL."""


class Missing(Exception):
    """A peer cannot be measured on this machine. The message states the reason and what to install."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """The costs of Argon2id."""

    memory_kib: int
    time: int
    parallelism: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """The accounts and the costs that all servers have, the PostgreSQL server, and the place for the files of a run.

    The first of the addresses owns the sessions that are listed. The others log in and refresh. `sources` has the
    directories with the sources of peers, by the name of the peer.
    """

    emails: Sequence[str]
    costs: Costs
    database_url: str
    directory: Path
    sources: Mapping[str, Path] = field(default_factory=dict)

    @property
    def owner(self) -> str:
        """The address of the account with ten sessions."""
        return self.emails[0]

    @property
    def others(self) -> Sequence[str]:
        """The addresses of the accounts that log in and refresh."""
        return self.emails[1:]

    @property
    def variables(self) -> Mapping[str, str]:
        """The environment variables of all peers: the costs, and the address of the server in libpq's variables."""
        address = conninfo_to_dict(self.database_url)
        return {
            "PATH": os.environ["PATH"],
            "PEER_ARGON2_MEMORY_KIB": str(self.costs.memory_kib),
            "PEER_ARGON2_TIME": str(self.costs.time),
            "PEER_ARGON2_PARALLELISM": str(self.costs.parallelism),
            **{
                f"PG{name.upper()}": str(address[name])
                for name in ("host", "port", "user", "password")
                if address.get(name)
            },
        }

    def new_database(self, name: str) -> str:
        """Create an empty database for a peer, and return its URL."""
        return create_database(name, url=self.database_url)

    def password_hash(self) -> str:
        """Return a hash of the password of all accounts, as `$argon2id$v=19$m=…`."""
        costs = self.costs
        hasher = PasswordHasher(time_cost=costs.time, memory_cost=costs.memory_kib, parallelism=costs.parallelism)
        return hasher.hash(PASSWORD)
