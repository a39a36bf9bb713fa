"""The number of things that an account has, for other apps that must not import the app of these things."""

from datetime import datetime
from typing import Any, Protocol

from core.registry import Registry


class Holding(Protocol):
    """One kind of thing that an account has, such as API keys. Second factors have their own registry."""

    name: str
    """The name in a question about the account's state, such as `api_keys`."""

    def count(self, *, account_id: Any, now: datetime) -> int:
        """Return the number of things of the account that work at the moment."""


holdings: Registry[Holding] = Registry()
