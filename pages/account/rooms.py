"""The rooms of the account, in the order of the navigation. An app above this one can register a room of its own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise

from core.registry import Registry


def always() -> bool:
    """Return True, for a room that every deployment has."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A page of the account that the navigation lists. `name` is that of its URL. `is_on` runs no query.

    `after` is the name of the room before it, or "" for the end of the navigation.
    """

    name: str
    title: str | Promise
    is_on: Callable[[], bool] = always
    after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of the navigation."""

    url: str
    title: str
    is_current: bool


rooms: Registry[Room] = Registry()


def navigation(*, current: str) -> Sequence[Entry]:
    """Return the rooms of this deployment. `current` is the name of the open room."""
    return [
        Entry(url=reverse(room.name), title=str(room.title), is_current=room.name == current)
        for room in _ordered()
        if room.is_on()
    ]


def _ordered() -> Sequence[Room]:
    ordered: list[Room] = []
    for room in rooms:
        names = [one.name for one in ordered]
        ordered.insert(names.index(room.after) + 1 if room.after in names else len(names), room)
    return ordered
