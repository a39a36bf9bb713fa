"""The checks of the environment and of its network. A host project has its settings in a dict, which `accounts` checks."""

import os
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import accumulate
from typing import Any

from django.conf import global_settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.checks import Warning as CheckWarning
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from core.conf import core_settings, declared, is_declared

from ..environment import ProjectSettings
from .direct import has_pooler

_SIMILARITY_MIN = 0.85
"""The least similarity, from 0 to 1, at which a name counts as misspelt.

DATABASE_HOST has 0.72 with DATABASE_URL, and ARGON2_MEMORY_KB has 0.97 with ARGON2_MEMORY_KIB.
"""
_GROUP = 3
"""The number of settings that must share a prefix before the prefix counts as the service's own."""

LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_QUESTIONS = 3
"""The number of times in a row that the check of the pooler asks a connection which process answers."""


@register("authsvc")
def check_environment(**_: Any) -> list[CheckMessage]:
    """Warn of each environment variable that is probably a misspelt setting."""
    settings = {declaration.name for _, declaration in declared()}
    prefixes = _own_prefixes()
    found: list[CheckMessage] = []
    for name in sorted(name for name in os.environ if not is_declared(name)):
        least = 0.0 if name.startswith(prefixes) else _SIMILARITY_MIN
        for nearest in get_close_matches(name, settings, n=1, cutoff=least):
            # Another program's variable often has a word before a common name, such as S3_SECRET_KEY.
            if not name.endswith(f"_{nearest}"):
                hint = f"The setting with the most similar name is {nearest}."
                found.append(CheckWarning(f"{name} is not a setting of the service.", hint=hint, id="authsvc.W019"))
    return found


def find_missing_proxies(*, address: str) -> list[CheckMessage]:
    """Return a warning when the service listens on an address that other machines reach, and trusts no proxy."""
    if address in LOOPBACK or core_settings().trusted_proxies:
        return []
    sentence = (
        f"The service listens on {address}, and TRUSTED_PROXIES is unset. Without a proxy, clients that send slowly can "
        "occupy the service. Behind a proxy, all callers have its address and share its rate limits."
    )
    hint = "Put a proxy that reads whole requests in front of the service, and name its address in TRUSTED_PROXIES."
    return [CheckWarning(sentence, hint=hint, id="authsvc.W026")]


@register(Tags.database)
def check_pooler(*, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Report a pooler in transaction mode that the settings do not name. The lock of a migration would have no effect."""
    if "default" not in (databases or ()) or connection.vendor != "postgresql" or has_pooler():
        return []
    other = connection.copy()
    try:
        if not (_has_pooler_before(connection) and _change_processes(connection, other)):
            return []
    finally:
        other.close()
    sentence = "DATABASE_URL leads to a pooler in transaction mode, but DATABASE_POOLER is unset."
    hint = "Set DATABASE_POOLER to transaction, and DATABASE_DIRECT_URL to the address of PostgreSQL itself."
    return [Error(sentence, hint=hint, id="authsvc.E012")]


def _has_pooler_before(session: BaseDatabaseWrapper) -> bool:
    """Return whether another process answers than the one that the connection announced at its start."""
    return _backend_of(session) != int(session.connection.info.backend_pid)


def _change_processes(first: BaseDatabaseWrapper, second: BaseDatabaseWrapper) -> bool:
    """Return whether the two open connections share a process of PostgreSQL, or one of them changes its process.

    A pooler in session mode gives each connection a process of its own.
    """
    # Each connection asks several times in a row, because a pooler may give its processes in turn. The first asks again
    # at the end, because a pooler may have started a process for the second meanwhile.
    of_first, of_second, again = (
        {_backend_of(session) for _ in range(_QUESTIONS)} for session in (first, second, first)
    )
    return of_first != again or len(of_first) > 1 or len(of_second) > 1 or of_first == of_second


def _backend_of(session: BaseDatabaseWrapper) -> int:
    session.ensure_connection()
    # An old pooler would confuse prepared statements.
    [pid] = session.connection.execute("SELECT pg_backend_pid()", prepare=False).fetchone()
    return int(pid)


def _own_prefixes() -> tuple[str, ...]:
    """Return the prefixes of the service's own settings, such as `ARGON2_` and `LOG_SHIPPING_`.

    The result leaves out a prefix that a setting of Django or of the project has. Other programs use it too. Examples
    are `EMAIL_` and `LOG_`.
    """
    common = {prefix for name in dir(global_settings) for prefix in _prefixes(name)}
    own: list[str] = []
    for section, declaration in declared():
        if section is ProjectSettings:
            common.update(_prefixes(declaration.name))
        else:
            own += _prefixes(declaration.name)
    return tuple(prefix for prefix in set(own) - common if own.count(prefix) >= _GROUP)


def _prefixes(name: str) -> list[str]:
    """Return each prefix of a name that ends with an underscore: `A_` and `A_B_` of `A_B_C`."""
    *words, _last = name.split("_")
    return list(accumulate(f"{word}_" for word in words))
