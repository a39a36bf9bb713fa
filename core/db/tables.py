"""The state of the tables: which migrations of the service the database lacks."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from time import sleep

from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor

from . import outage
from .failures import Fault, fault_of

logger = logging.getLogger("authsvc.tables")

POLL_SECONDS = 0.5

_NO_TABLES = "the database has no tables yet, waiting for its migration"


@dataclass(frozen=True, slots=True, kw_only=True)
class Migrations:
    """The difference between the migrations of this release and those of the database, as `app name`.

    `missing` are not applied. `unknown` are of a newer release. `lacks_app` states that an app has no tables at all.
    """

    missing: tuple[str, ...]
    unknown: tuple[str, ...]
    lacks_app: bool


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
        lacks_app=any(key in graph.root_nodes(key[0]) for key in missing),
    )


def await_tables(*, is_stopping: Callable[[], bool] = lambda: False, pause: Callable[[float], object] = sleep) -> None:
    """Return when each app has its tables, or when `is_stopping()` is true. Log each reason to wait once.

    After a wait for the first migration, the database also has all later migrations. A database of an earlier release
    has tables, so the call returns at once. The call also waits during an outage of the database.
    """
    reason = ""
    while not is_stopping():
        last_reason = reason
        reason, fields = _find_reason_to_wait(during_migration=last_reason == _NO_TABLES)
        if not reason:
            return
        if reason != last_reason:
            logger.warning(reason, extra=fields)
        pause(POLL_SECONDS)


def _find_reason_to_wait(*, during_migration: bool) -> tuple[str, dict[str, str]]:
    """Return the event and the fields of a log line, or ("", {}) when there is no reason."""
    try:
        found = compare_migrations()
    except (DatabaseError, InterfaceError) as error:
        connection.close()
        if fault_of(error) is not Fault.OUTAGE:
            raise
        return "database unreachable", outage.note(error)
    if found.lacks_app or (during_migration and found.missing):
        return _NO_TABLES, {"hint": "Run manage.py migrate, or start manage.py serve without --no-migrate."}
    return "", {}
