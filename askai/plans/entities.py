"""The subjects of questions: the caller's own records, and the columns that a question may ask for."""

from collections.abc import Mapping, Sequence
from enum import StrEnum


class Entity(StrEnum):
    """Every entity that the engine knows. Questions about USERS are refused: its records belong to no single user."""

    SESSIONS = "sessions"
    AUDIT_EVENTS = "audit_events"
    USERS = "users"


class Column(StrEnum):
    """The columns that a question may ask for. The names are those of the API."""

    ID = "id"
    CREATED_AT = "created_at"
    ENDED_AT = "ended_at"
    TYPE = "type"
    IP = "ip"
    LOCATION = "location"
    DEVICE = "device"
    BROWSER = "browser"
    OS = "os"
    FORM = "form"
    USER_AGENT = "user_agent"


COLUMNS: Mapping[Entity, tuple[Column, ...]] = {
    Entity.SESSIONS: tuple(column for column in Column if column is not Column.TYPE),
    Entity.AUDIT_EVENTS: tuple(column for column in Column if column is not Column.ENDED_AT),
}
"""The columns of each entity whose records belong to one user each. Questions about other entities are refused."""

DEFAULT_COLUMNS: Mapping[Entity, tuple[Column, ...]] = {
    Entity.SESSIONS: (Column.CREATED_AT, Column.DEVICE, Column.IP),
    Entity.AUDIT_EVENTS: (Column.CREATED_AT, Column.TYPE, Column.DEVICE, Column.IP),
}
"""The columns of an answer when the question names none."""

MEANINGS: Mapping[Entity, str] = {
    Entity.SESSIONS: "where the asker is signed in now, one record each; created_at is when they signed in",
    Entity.AUDIT_EVENTS: "what happened in the asker's account: signing in is login_success, failing to login_failed",
}
"""The description of each entity for a model."""


def bindable(entities: Sequence[Entity]) -> tuple[Entity, ...]:
    """Return the entities whose records belong to one user each."""
    return tuple(entity for entity in COLUMNS if entity in entities)
