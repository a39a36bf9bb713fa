"""Runs a plan on the read-only database, over the caller's own records only.

No part of a statement comes from a plan. A plan selects among fixed identifiers, and its values are query parameters.
"""

import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

import psycopg
from psycopg import IsolationLevel, sql

from accounts.host import users
from sessions_app.detection.devices import describe, label

from ..errors import AskAiUnavailable
from ..plans.entities import OWN_RECORDS, STORED_COLUMNS, Column
from ..plans.periods import Span, resolve
from ..plans.plan import By, Compare, Count, Exists, Filters, GroupBy, Order, Plan, Rows
from ..settings.stored import DatabaseSettings
from .database import Connection, DatabaseUnavailable, use

logger = logging.getLogger("authsvc.askai")

SECONDS = 10.0
STATEMENT_SECONDS = 5

AGENTS_MAX = 1000
"""User agents of one caller that a plan about devices reads, the most frequent first.

The limit is needed because attackers can write any number of user agents into the caller's failed logins.
"""

# These settings end with the transaction. A pooler refuses settings at the start of a connection. It would also pass
# the settings of a session on to other clients.
_SET_FOR_TRANSACTION = """
SELECT set_config('DateStyle', 'ISO', true), set_config('TimeZone', 'UTC', true),
    set_config('statement_timeout', %s, true)
"""
_TEXT = 'COLLATE "C"'  # gives the same order under every locale of the database
_VALUES: Mapping[By, sql.SQL] = {
    By.TYPE: sql.SQL("type"),
    By.IP: sql.SQL("ip"),
    By.DAY: sql.SQL("to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')"),
}
_DIRECTIONS: Mapping[Order, sql.SQL] = {Order.NEWEST: sql.SQL("DESC"), Order.OLDEST: sql.SQL("ASC")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """Rows with stored values, one value for each column."""

    columns: tuple[Column, ...]
    rows: list[tuple[Any, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """The number of records. With `is_more`, there may be more records than `count`."""

    count: int
    is_more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    """Pairs of a value and the number of records that have it, ordered by value."""

    pairs: list[tuple[str, int]]


Result: TypeAlias = Records | Counted | Groups


def run(plan: Plan, *, database: DatabaseSettings, user_id: str, now: datetime) -> Result:
    """Return the result of the plan over the user's records, with at most `max_rows` rows.

    All statements see one state of the database, in a read-only transaction. Raises AskAiUnavailable when the database
    fails or takes longer than SECONDS.
    """

    def work(connection: Connection) -> Result:
        connection.read_only = True
        connection.isolation_level = IsolationLevel.REPEATABLE_READ
        try:
            connection.execute(_SET_FOR_TRANSACTION, (f"{STATEMENT_SECONDS}s",))
            return _Query(plan, connection, user_id=user_id, now=now).result(max_rows=database.max_rows)
        except psycopg.Error as error:
            # The exception's message may quote values.
            raise DatabaseUnavailable(type(error).__name__) from None

    try:
        return use(database.dsn, work, seconds=SECONDS)
    except DatabaseUnavailable as error:
        logger.warning("the read-only database does not answer", extra={"reason": str(error)})
        raise AskAiUnavailable from None


def is_runnable(plan: Plan) -> bool:
    """Return whether `run` knows the shape and all filters of the plan."""
    filters, shape = plan.filters, plan.shape
    known = (filters.types, filters.ips, filters.browsers, filters.systems)
    rest = Filters(types=known[0], ips=known[1], browsers=known[2], systems=known[3], period=filters.period)
    return (
        filters == rest
        and not any(choice is not None and choice.is_not for choice in known)
        and (filters.ips is None or (len(filters.ips.values) == 1 and "/" not in filters.ips.values[0]))
        and (not isinstance(shape, GroupBy) or shape.by in {*_VALUES, By.DEVICE})
        and (not isinstance(shape, Rows) or not {Column.ENDED_AT, Column.FORM} & {*shape.columns})
        and shape == (GroupBy(by=shape.by) if isinstance(shape, GroupBy) else shape)
        and isinstance(shape, Rows | Count | GroupBy)
    )


class _Query:
    """The statements of one plan."""

    def __init__(self, plan: Plan, connection: Connection, *, user_id: str, now: datetime) -> None:
        self._plan = plan
        self._connection = connection
        filters = plan.filters
        span = resolve(filters.period, now=now, zone=ZoneInfo("UTC"), week_start=0) if filters.period else Span()
        self._parameters = {
            "user_id": user_id,
            "account_id": users.to_account_id(user_id),
            "now": now,
            "types": list(filters.types.values) if filters.types else [],
            "ip": filters.ips.values[0] if filters.ips else None,
            "since": span.since,
            "until": span.until,
        }
        self._source = sql.SQL(" FROM ({own}) AS own WHERE {conditions}").format(
            own=OWN_RECORDS[plan.entity], conditions=sql.SQL(" AND ").join(_conditions(filters, span))
        )

    def result(self, *, max_rows: int) -> Result:
        filters, shape = self._plan.filters, self._plan.shape
        if filters.browsers is not None or filters.systems is not None:
            self._narrow([agent for agent in self._agents() if _is_asked(agent, filters)])
        match shape:
            case Count():
                ((count,),) = self._fetch(
                    "SELECT count(*) FROM (SELECT 1{source} LIMIT %(limit)s) AS counted", max_rows
                )
                return Counted(count=count, is_more=count == max_rows)
            case GroupBy(by=By.DEVICE):
                return Groups(pairs=_count_devices(self._agents())[:max_rows])
            case GroupBy(by=by):
                pairs = self._fetch(
                    f"SELECT {{value}} {_TEXT}, count(*){{source}} GROUP BY 1 ORDER BY 1 LIMIT %(limit)s",
                    max_rows,
                    value=_VALUES[by],
                )
                return Groups(pairs=pairs)
            case Exists() | Compare():
                raise NotImplementedError
            case Rows():
                return self._records(shape, limit=min(shape.limit or max_rows, max_rows))

    def _records(self, shape: Rows, *, limit: int) -> Records:
        rows = self._fetch(
            "SELECT {columns}{source} ORDER BY created_at {direction}, tie {direction} LIMIT %(limit)s",
            limit,
            columns=sql.SQL(", ").join(sql.Identifier(STORED_COLUMNS.get(column, column)) for column in shape.columns),
            direction=_DIRECTIONS[shape.order],
        )
        return Records(columns=shape.columns, rows=rows)

    def _agents(self) -> Mapping[str, int]:
        """Return the number of records of each user agent, for at most AGENTS_MAX user agents."""
        statement = f"SELECT user_agent {_TEXT}, count(*){{source}} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT %(limit)s"
        return dict(self._fetch(statement, AGENTS_MAX))

    def _narrow(self, agents: list[str]) -> None:
        self._source += sql.SQL(" AND user_agent = ANY(%(agents)s)")
        self._parameters["agents"] = agents

    def _fetch(self, statement: str, limit: int, **parts: sql.Composable) -> list[tuple[Any, ...]]:
        composed = sql.SQL(statement).format(source=self._source, **parts)
        return self._connection.execute(composed, {**self._parameters, "limit": limit}).fetchall()


def _conditions(filters: Filters, span: Span) -> list[sql.Composable]:
    asked = {
        "type = ANY(%(types)s)": filters.types is not None,
        "ip = %(ip)s": filters.ips is not None,
        "created_at >= %(since)s": span.since is not None,
        "created_at < %(until)s": span.until is not None,
    }
    return [sql.SQL("TRUE"), *(sql.SQL(condition) for condition, is_asked in asked.items() if is_asked)]


def _count_devices(agents: Mapping[str, int]) -> list[tuple[str, int]]:
    counts: Counter[str] = Counter()
    for agent, count in agents.items():
        counts[label(describe(agent))] += count
    return sorted(counts.items())


def _is_asked(agent: str, filters: Filters) -> bool:
    device = describe(agent)
    asked = ((filters.browsers, device.browser), (filters.systems, device.os))
    return all(
        choice is None or found.casefold() in {value.casefold() for value in choice.values} for choice, found in asked
    )
