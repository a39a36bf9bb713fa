"""The caller's own records: the queries from which every statement reads, and the columns that they have."""

from collections.abc import Mapping

from psycopg import sql

from events.models import Event
from events.vocabulary import OPERATOR_ACTS
from sessions_app.models import Family, Token, live_condition

from ..plans.entities import Column, Entity
from ..plans.plan import State

STORED_COLUMNS: Mapping[Column, Column] = {
    Column.LOCATION: Column.IP,
    Column.DEVICE: Column.USER_AGENT,
    Column.BROWSER: Column.USER_AGENT,
    Column.OS: Column.USER_AGENT,
    Column.FORM: Column.USER_AGENT,
}
"""The stored column from which a computed column is made."""

_IS_LIVE = sql.SQL(live_condition(now="%(now)s"))
_STATES: Mapping[State, sql.Composable] = {
    State.LIVE: _IS_LIVE,
    State.ENDED: sql.SQL("NOT ({is_live})").format(is_live=_IS_LIVE),
    State.ANY: sql.SQL("TRUE"),
}

# The service may have pruned the token of a session that has ended.
_SESSIONS = sql.SQL("""
    SELECT f.current_token_id AS id, f.started_at AS created_at,
        CASE WHEN {is_live} THEN NULL
            ELSE LEAST(f.revoked_at, f.idle_expires_at, f.absolute_expires_at) END AS ended_at,
        coalesce(t.ip, '') AS ip, coalesce(t.user_agent, '') AS user_agent, f.id AS tie
    FROM {family} f LEFT JOIN {token} t ON t.id = f.current_token_id
    WHERE f.account_id = %(account_id)s AND {is_asked}
""")
_EVENTS = sql.SQL("""
    SELECT id, created_at, type, ip, user_agent, id AS tie FROM {event}
    WHERE user_id = %(user_id)s AND type NOT IN ({acts})
""").format(
    event=sql.Identifier(Event._meta.db_table),
    acts=sql.SQL(", ").join(sql.Literal(str(act)) for act in OPERATOR_ACTS),
)


def own_records(entity: Entity, *, state: State) -> sql.Composed:
    """Return the query for the caller's own records. Every statement reads only from these.

    The events are those of the caller's account. The acts of an operator belong to the console. The live sessions are
    those of GET /v1/sessions, in the same order. `tie` orders records of the same moment, and is the same for every
    token of a session. Raises KeyError for an entity whose records belong to no single user.
    """
    return {Entity.SESSIONS: _sessions(state), Entity.AUDIT_EVENTS: _EVENTS}[entity]


def _sessions(state: State) -> sql.Composed:
    return _SESSIONS.format(
        family=sql.Identifier(Family._meta.db_table),
        token=sql.Identifier(Token._meta.db_table),
        is_live=_IS_LIVE,
        is_asked=_STATES[state],
    )
