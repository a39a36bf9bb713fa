"""The history of the redacted copy of the log."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar, TypeAlias
from uuid import UUID

import orjson

from core.http.answers import Described
from events.logs.models import ShippedLog
from events.logs.shipping import LEVELS, level_name

Level: TypeAlias = Annotated[str, Described(keywords={"enum": list(LEVELS)})]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedLog:
    """A redacted line of the log. `shipped_at` is null until the collector accepts the line."""

    component: ClassVar = "ShippedLog"

    id: UUID
    level: Level
    message: str
    fields: Annotated[orjson.Fragment, Described(keywords={"type": "object", "additionalProperties": {}})]
    shipped_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShippedLogs:
    """Lines of the redacted copy of the log, the newest first. `level` null means lines of every level."""

    example: ClassVar = {
        "events": [
            {
                "id": "01a1fd92-0a1b-7c2d-8e3f-405162738495",
                "level": "warn",
                "message": "the database does not answer",
                "fields": {"reason": "OperationalError"},
                "shipped_at": None,
            }
        ],
        "count": 1,
        "limit": 50,
        "level": "warn",
        "levels": list(LEVELS),
    }

    events: Sequence[ListedLog]
    count: int
    limit: int
    level: Level | None
    levels: Sequence[Level] = tuple(LEVELS)


def list_shipped_logs(*, level: str | None, limit: int) -> ShippedLogs:
    """Return the lines of the redacted copy of the log at or above the level, the newest first."""
    rows = ShippedLog.objects.order_by("-id")
    if level is not None:
        rows = rows.filter(level__gte=LEVELS[level])
    events = [show_line(row) for row in rows[:limit]]
    return ShippedLogs(events=events, count=len(events), limit=limit, level=level)


def show_line(row: ShippedLog) -> ListedLog:
    """Return the line as the API lists it."""
    return ListedLog(
        id=row.pk,
        level=level_name(row.level),
        message=row.message,
        fields=orjson.Fragment(row.fields),
        shipped_at=row.shipped_at,
    )
