"""Readers of single JSON values. Each raises PlanInvalid for a value of another form."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from .plan import PlanInvalid

TEXT_MAX = 60

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)

_OWNER_MEMBERS = frozenset({"user", "user_id", "account", "account_id", "email"})


def members_of(value: Any, names: frozenset[str] | set[str]) -> Mapping[str, Any]:
    """Return the members of a JSON object, without those that are null or name a user.

    An object with another member is invalid.
    """
    if not isinstance(value, dict) or set(value) - names - _OWNER_MEMBERS:
        raise PlanInvalid
    return {name: member for name, member in value.items() if member is not None and name in names}


def optional(value: Any, read: Callable[[Any], T]) -> T | None:
    """Return None for None, and otherwise the value that `read` returns."""
    return None if value is None else read(value)


def word(words: type[E], value: Any) -> E:
    """Return one of the words."""
    try:
        return words(value)
    except ValueError:
        raise PlanInvalid from None


def words(vocabulary: type[E], values: Any) -> tuple[E, ...]:
    """Return different words of the vocabulary, in their order."""
    if not isinstance(values, list):
        raise PlanInvalid
    read = tuple(word(vocabulary, value) for value in values)
    if len(set(read)) != len(read):
        raise PlanInvalid
    return read


def positive(value: Any) -> int:
    """Return a whole number of at least 1."""
    if type(value) is not int or value < 1:
        raise PlanInvalid
    return value


def text(value: Any) -> str:
    """Return a printable text of 1 to TEXT_MAX characters."""
    if not isinstance(value, str) or not 1 <= len(value) <= TEXT_MAX or not value.isprintable():
        raise PlanInvalid
    return value
