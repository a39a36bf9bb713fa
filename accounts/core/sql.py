"""Hand-written statements of the hot paths: parameters in, values out, the same on both databases.

SQLite keeps a UUID as 32 hex digits and a moment as naive UTC text, as Django's ORM does; passing either raw would
store what the ORM never finds again.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import connection


def fetch_one(statement: str, parameters: Sequence[Any]) -> tuple[Any, ...] | None:
    """Run the statement and return its first row, or None."""
    with connection.cursor() as cursor:
        cursor.execute(statement, _adapt(parameters))
        return cursor.fetchone()  # type: ignore[no-any-return]  # DB-API rows are tuples


def fetch_all(statement: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Run the statement and return its rows."""
    with connection.cursor() as cursor:
        cursor.execute(statement, _adapt(parameters))
        return list(cursor.fetchall())


def execute(statement: str, parameters: Sequence[Any]) -> int:
    """Run the statement and return how many rows it touched."""
    with connection.cursor() as cursor:
        cursor.execute(statement, _adapt(parameters))
        return int(cursor.rowcount)


def to_uuid(value: Any) -> UUID:
    """Return a UUID column's value, whichever database it came from."""
    return value if isinstance(value, UUID) else UUID(value)


def to_datetime(value: Any) -> datetime:
    """Return a moment's column value, aware, in UTC."""
    moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _adapt(parameters: Sequence[Any]) -> Sequence[Any]:
    if connection.vendor != "sqlite":
        return parameters
    return [_adapt_for_sqlite(value) for value in parameters]


def _adapt_for_sqlite(value: Any) -> Any:
    match value:
        case UUID():
            return value.hex
        case datetime():
            return str(value.astimezone(UTC).replace(tzinfo=None))
    return value
