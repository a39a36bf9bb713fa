"""The subjects of questions: the caller's own records, and the columns that a question may ask for."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from psycopg import sql

from events.models import Event
from events.vocabulary import OPERATOR_ACTS
from sessions_app.models import Family, Token, live_condition


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

STORED_COLUMNS: Mapping[Column, Column] = {
    Column.LOCATION: Column.IP,
    Column.DEVICE: Column.USER_AGENT,
    Column.BROWSER: Column.USER_AGENT,
    Column.OS: Column.USER_AGENT,
    Column.FORM: Column.USER_AGENT,
}
"""The stored column from which a computed column is made."""

OWN_RECORDS: Mapping[Entity, sql.Composed] = {
    # GET /v1/sessions lists the same records in the same order.
    Entity.SESSIONS: sql.SQL("""
        SELECT t.id, f.started_at AS created_at, t.ip, t.user_agent, f.id AS tie
        FROM {family} f JOIN {token} t ON t.id = f.current_token_id
        WHERE f.account_id = %(account_id)s AND {is_live}
    """).format(
        family=sql.Identifier(Family._meta.db_table),
        token=sql.Identifier(Token._meta.db_table),
        is_live=sql.SQL(live_condition(now="%(now)s")),
    ),
    Entity.AUDIT_EVENTS: sql.SQL("""
        SELECT id, created_at, type, ip, user_agent, id AS tie FROM {event}
        WHERE user_id = %(user_id)s AND type NOT IN ({acts})
    """).format(
        event=sql.Identifier(Event._meta.db_table),
        acts=sql.SQL(", ").join(sql.Literal(str(act)) for act in OPERATOR_ACTS),
    ),
}
"""The query for the caller's own records of each entity. Every plan reads only these.

The events are those of the caller's account. The acts of an operator belong to the console.
`tie` orders records of the same moment.
"""


def bindable(entities: Sequence[Entity]) -> tuple[Entity, ...]:
    """Return the entities whose records belong to one user each."""
    return tuple(entity for entity in COLUMNS if entity in entities)
