"""Answers: frozen dataclasses that the service dumps as JSON. `answer_schemas` derives their JSON Schema.

A dataclass states a component of the API's description. Its docstring is the description, and its ClassVar `example` is
the example in JSON form. Its ClassVar `extensions` has the subclasses of which an answer can be one. The type of a field
gives the schema of the member. `Annotated` adds a `Described`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias, get_args, get_type_hints

import orjson

from ..clock import rfc3339

Keywords: TypeAlias = Mapping[str, Any] | Callable[[], Mapping[str, Any]]
"""JSON Schema keywords that do not follow from a field's class and arguments. A callable may read settings."""


@dataclass(frozen=True, slots=True, eq=False)
class Described:
    """The description of a member, and the JSON Schema keywords that do not follow from the member's type."""

    text: str = ""
    keywords: Keywords = field(default_factory=dict)

    def schema(self) -> dict[str, Any]:
        """Return the keywords, including the description."""
        keywords = self.keywords() if callable(self.keywords) else self.keywords
        return {**({"description": self.text} if self.text else {}), **keywords}


@dataclass(frozen=True, slots=True)
class Component:
    """The name of a union in the API's description: `Annotated[TokenPair | PausedLogin, Component("LoginAnswer")]`.

    A dataclass is a component of its own name, or of the name in its ClassVar `component`.
    """

    name: str


class Absent:
    """The type of ABSENT. A member of type `X | Absent` is left out of the JSON when its value is ABSENT."""

    def __bool__(self) -> bool:
        """Return False, so that a template takes a missing member for none."""
        return False


ABSENT: Final = Absent()
"""The value of a member that is missing. None cannot mark it, because null is a valid value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The result of the operation as text. Each operation has its own text."""

    status: str


def dumper_of(answer: Any) -> Callable[[Any], bytes]:
    """Return the function that dumps answers of this type as JSON."""
    return _dump_without_absent if _has_absent(answer) else dump


def binds_key(answer: Any) -> bool:
    """Return whether an answer of this type can contain tokens: one of its dataclasses has the ClassVar `binds_key`."""
    return getattr(answer, "binds_key", False) or any(binds_key(argument) for argument in get_args(answer))


def dump(value: Any) -> bytes:
    """Return the value as JSON in the API's format. Dataclasses become objects, and datetimes become RFC 3339 text.

    Raises TypeError for a value without a JSON form, which includes ABSENT.
    """
    return orjson.dumps(value, default=_default, option=orjson.OPT_PASSTHROUGH_DATETIME)


def _dump_without_absent(value: Any) -> bytes:
    # orjson cannot leave out a member, so it passes each dataclass to `_default`. That is slower.
    option = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS
    return orjson.dumps(value, default=_default, option=option)


def _default(value: Any) -> Any:
    if isinstance(value, datetime):
        return rfc3339(value)
    if is_dataclass(value):
        members = {member.name: getattr(value, member.name) for member in fields(value)}
        return {name: member for name, member in members.items() if member is not ABSENT}
    raise TypeError(f"{type(value).__name__} has no JSON form here.")


def _has_absent(hint: Any) -> bool:
    if isinstance(hint, type) and is_dataclass(hint):
        return any(_has_absent(member) for member in get_type_hints(hint).values())
    return hint is Absent or any(_has_absent(argument) for argument in get_args(hint))
