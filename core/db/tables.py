"""The state of the tables: which migrations of the service the database lacks."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from time import sleep

from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor

from . import outage
from .failures import Fault, fault_of

logger = logging.getLogger("authsvc.tables")

POLL_SECONDS = 0.5

_HINT = "Run manage.py migrate, or start manage.py serve without --no-migrate."


class _Reason(Enum):
    """A reason to wait."""

    OUTAGE = "outage"
    NO_TABLES = "no tables"
    OLD_TABLES = "old tables"


@dataclass(frozen=True, slots=True, kw_only=True)
class Migrations:
    """The difference between the migrations of this release and those of the database, as `app name`.

    `missing` are not applied. `unknown` are of a newer release. `lacks_all` states that no app has tables.
    """

    missing: tuple[str, ...]
    unknown: tuple[str, ...]
    lacks_all: bool


def compare_migrations() -> Migrations:
    """Return the difference for the apps of the service. The call changes nothing."""
    executor = MigrationExecutor(connection)
    graph, applied = executor.loader.graph, executor.loader.applied_migrations
    own = [key for key in graph.nodes if key[0].startswith("authsvc_")]
    missing = [key for key in own if key not in applied]
    unknown = [key for key in applied if key[0].startswith("authsvc_") and key not in executor.loader.disk_migrations]
    return Migrations(
        missing=tuple(" ".join(key) for key in sorted(missing)),
        unknown=tuple(" ".join(key) for key in sorted(unknown)),
        lacks_all=len(missing) == len(own),
    )


def await_tables(*, is_stopping: Callable[[], bool] = lambda: False, pause: Callable[[float], object] = sleep) -> None:
    """Return when the database has the migrations of this release, or when `is_stopping()` is true.

    Log each reason to wait once. The call also waits during an outage of the database. Migrations of a newer release do
    no harm, because migrations only add.
    """
    reason: _Reason | None = None
    while not is_stopping():
        last_reason = reason
        try:
            reason = _find_reason_to_wait()
        except (DatabaseError, InterfaceError) as error:
            connection.close()
            if fault_of(error) is not Fault.OUTAGE:
                raise
            reason = _Reason.OUTAGE
            if reason is not last_reason:
                logger.warning("database unreachable", extra=outage.note(error))
        if reason is None:
            return
        if reason is not last_reason and reason is _Reason.NO_TABLES:
            logger.warning("the database has no tables yet, waiting for its migration", extra={"hint": _HINT})
        if reason is not last_reason and reason is _Reason.OLD_TABLES:
            logger.warning("the database lacks migrations of this release, waiting for them", extra={"hint": _HINT})
        pause(POLL_SECONDS)


def _find_reason_to_wait() -> _Reason | None:
    found = compare_migrations()
    if found.lacks_all:
        return _Reason.NO_TABLES
    return _Reason.OLD_TABLES if found.missing else None
