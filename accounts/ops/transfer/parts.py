"""The parts of a row that other apps own, such as identities and passkeys, and their registry.

The apps that depend on accounts register their parts in their `wiring`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from core.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFacts:
    """The facts about a row that its parts need. `created_at` is the default of the part's own times.

    `drops_factors` states that the operator lets people lose second factors that cannot be moved.
    """

    created_at: datetime
    now: datetime
    drops_factors: bool


class RowPart(Protocol):
    """Reads, stores and exports one member of a row."""

    @property
    def member(self) -> str:
        """The name of the member."""

    @property
    def factor(self) -> str:
        """The name of the second factor that the part moves, or ""."""

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON Schema of the member's value."""

    def read(self, value: Any, *, facts: RowFacts) -> Any:
        """Return the checked value, or None when nothing has to be stored. Raises RefusedRow. Runs no query."""

    def keys(self, value: Any) -> Sequence[str]:
        """Return the texts that no other account may have, such as the issuer and subject of an identity."""

    def find_taken(self, keys: Collection[str]) -> Collection[str]:
        """Return those of the keys that an account has. Runs at most one query."""

    def insert(self, values: Sequence[tuple[Any, Any]]) -> None:
        """Store the values of new accounts: pairs of account id and value. Needs a transaction."""

    def export(self, account_ids: Sequence[Any], *, with_secrets: bool) -> Mapping[Any, Any]:
        """Return the member's value for each of the accounts that has one, by the id of the account."""


row_parts: Registry[RowPart] = Registry()
