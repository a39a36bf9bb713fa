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
    """A page of the account that the navigation lists. `name` is that of its URL. `is_on` runs no query."""

    name: str
    title: str | Promise
    is_on: Callable[[], bool] = always


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
        for room in rooms
        if room.is_on()
    ]
