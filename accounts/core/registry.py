"""How a lower app lets a higher one take part without importing it.

The lower app states a Protocol and holds a Registry of it; the higher one registers in `AppConfig.ready()`.
"""

from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Registry(Generic[T]):
    """Members in the order in which they were registered; registering one twice changes nothing."""

    def __init__(self) -> None:
        self._members: list[T] = []

    def register(self, member: T) -> None:
        """Add the member to all later iterations."""
        if member not in self._members:
            self._members.append(member)

    def unregister(self, member: T) -> None:
        """Take the member away again; tests use it. Raises ValueError when it is not there."""
        self._members.remove(member)

    def __iter__(self) -> Iterator[T]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)
