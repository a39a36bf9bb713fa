"""A registry through which a lower app calls code of a higher app without importing the higher app.

The lower app defines a Protocol and creates a Registry for it. The higher app registers its implementation in
its module `wiring`.
"""

from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Registry(Generic[T]):
    """The registered members, in the order of their registration. A second registration of a member has no effect."""

    def __init__(self) -> None:
        self._members: list[T] = []

    def register(self, member: T) -> None:
        """Add the member, so that later iterations include the member."""
        if member not in self._members:
            self._members.append(member)

    def unregister(self, member: T) -> None:
        """Remove the member. Raises ValueError when the member is not registered. Only tests use this method."""
        self._members.remove(member)

    def __iter__(self) -> Iterator[T]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)
