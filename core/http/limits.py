"""The limits that an operation declares, and the count of its calls."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeAlias, TypeVar

from ..ratelimit import Limit, hit_all, network_key
from .call import Call

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Counted:
    """A limit against which each call counts, after the checks of the body and before the handler.

    `key` returns the key of the attempt in the form that `ratelimit.hit` describes. When it raises an error, no limit of
    the operation counts the call.
    """

    limit: Limit
    key: Callable[[Call], str]


@dataclass(frozen=True, slots=True)
class CountedByAct:
    """A limit that the domain act counts itself, because only the act knows the key, such as the account of a token."""

    limit: Limit


@dataclass(frozen=True, slots=True)
class EdgeAlone:
    """Declares that the operation needs no limit but `edge`, which counts every request. `reason` states why."""

    reason: str


PAGE = EdgeAlone("The answer is a page or a file without data of an account.")
"""The declaration of a public page and of its files."""

Declared: TypeAlias = tuple[Counted | CountedByAct, ...] | EdgeAlone


def by_network(limit: Limit) -> Counted:
    """Return the limit that counts the calls of the client's network."""
    return Counted(limit, lambda call: network_key(call.client.ip))


def by_caller(limit: Limit) -> Counted:
    """Return the limit that counts the calls of the account in the access token. The session may have ended."""
    return Counted(limit, lambda call: call.user_id)


def counting(handler: Callable[[Any, Call], T], declared: Declared) -> Callable[[Any, Call], T]:
    """Return the handler, which first counts the call against the limits of the operation.

    All limits are counted in one round trip. The handler itself is the result when the operation counts nothing.
    """
    counted = () if isinstance(declared, EdgeAlone) else tuple(one for one in declared if isinstance(one, Counted))
    if not counted:
        return handler

    @wraps(handler)
    def run(view: Any, call: "Call") -> T:
        hit_all(*[(one.limit, one.key(call)) for one in counted], now=call.now)
        return handler(view, call)

    return run
