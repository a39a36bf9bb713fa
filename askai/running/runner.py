"""Runs plans on the read-only database, over the caller's own records only.

No part of a statement comes from a plan. A plan selects among fixed identifiers, and its values are query parameters.
"""

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import psycopg
from psycopg import IsolationLevel, sql

from ..errors import AskAiUnavailable
from ..plans.entities import DEFAULT_COLUMNS
from ..plans.periods import WEEKDAYS
from ..plans.plan import By, Compare, Count, Exists, GroupBy, Order, Plan, Rows, Sort
from ..settings.stored import DatabaseSettings
from . import computed
from .conditions import Conditions, local_time, moment_of
from .database import Connection, DatabaseUnavailable, use
from .records import STORED_COLUMNS
from .results import Compared, Counted, Found, Groups, Records, Result, Total
from .scope import Scope

logger = logging.getLogger("authsvc.askai")

SECONDS = 10.0
STATEMENT_SECONDS = 5

COUNT_MAX = 10_000
"""Records that a count reads. Beyond them, the answer says `or more`."""

VALUES_MAX = 1000
"""Different user agents, addresses or groups of one caller that a plan reads, the most frequent first.

The limit is needed because attackers can write any number of user agents into the caller's failed logins.
"""

# These settings end with the transaction. A pooler refuses settings at the start of a connection. It would also pass
# the settings of a session on to other clients.
_SET_FOR_TRANSACTION = """
SELECT set_config('DateStyle', 'ISO', true), set_config('TimeZone', 'UTC', true),
    set_config('statement_timeout', %s, true)
"""
_TEXT = 'COLLATE "C"'  # gives the same order under every locale of the database
_SHIFT = "%(week_shift)s * interval '1 day'"
_VALUES: Mapping[By, str] = {
    By.TYPE: "type",
    By.IP: "ip",
    By.HOUR: "to_char({local}, 'HH24')",
    By.WEEKDAY: "to_char({local}, 'ID')",
    By.DAY: "to_char({local}, 'YYYY-MM-DD')",
    By.WEEK: f"to_char(date_trunc('week', {{local}} + {_SHIFT}) - {_SHIFT}, 'YYYY-MM-DD')",
    By.MONTH: "to_char({local}, 'YYYY-MM')",
}
_DIRECTIONS: Mapping[Order, sql.SQL] = {Order.NEWEST: sql.SQL("DESC"), Order.OLDEST: sql.SQL("ASC")}
# Of more than VALUES_MAX values, the most frequent ones are read, except where the question asks for the rarest.
_SORTS: Mapping[Sort, sql.SQL] = {
    Sort.VALUE: sql.SQL("2 DESC, 1"),
    Sort.MOST: sql.SQL("2 DESC, 1"),
    Sort.LEAST: sql.SQL("2, 1"),
}


def run(plans: Sequence[Plan], *, database: DatabaseSettings, scope: Scope) -> list[Result]:
    """Return the results of the plans over the caller's records, each with at most `max_rows` rows.

    All statements see one state of the database, in a read-only transaction. Raises PlanInvalid when a period has no
    moment. Raises AskAiUnavailable when the database fails or takes longer than SECONDS.
    """
    queries = [_Query(plan, scope=scope, max_rows=database.max_rows) for plan in plans]

    def work(connection: Connection) -> list[Result]:
        connection.read_only = True
        connection.isolation_level = IsolationLevel.REPEATABLE_READ
        try:
            connection.execute(_SET_FOR_TRANSACTION, (f"{STATEMENT_SECONDS}s",))
            return [query.result(connection) for query in queries]
        except psycopg.Error as error:
            # The exception's message may quote values.
            raise DatabaseUnavailable(type(error).__name__) from None

    if not queries:
        return []
    try:
        return use(database.dsn, work, seconds=SECONDS)
    except DatabaseUnavailable as error:
        logger.warning("the read-only database does not answer", extra={"reason": str(error)})
        raise AskAiUnavailable from None


class _Query:
    """The statements of one plan."""

    def __init__(self, plan: Plan, *, scope: Scope, max_rows: int) -> None:
        self._plan = plan
        self._max_rows = max_rows
        first = Conditions(plan.entity, plan.filters, scope=scope)
        others = (first.during(plan.shape.other),) if isinstance(plan.shape, Compare) else ()
        self._conditions = (first, *others)

    def result(self, connection: Connection) -> Result:
        """Return the result of the plan."""
        source, *others = (_Source(connection, conditions) for conditions in self._conditions)
        match self._plan.shape:
            case Count():
                return self._counted(source)
            case Exists():
                newest = Rows(columns=DEFAULT_COLUMNS[self._plan.entity], limit=1)
                records = self._records(source, newest)
                return Found(total=records.total, newest=records)
            case GroupBy() as shape:
                return self._groups(source, shape)
            case Rows() as shape:
                return self._records(source, shape)
            case Compare():
                return Compared(counts=((source.span, source.total()), (others[0].span, others[0].total())))

    def _counted(self, source: "_Source") -> Counted:
        types = self._plan.filters.types
        if types is None or types.is_not or len(types.values) == 1:
            return Counted(total=source.total())
        found = source.fetch(
            "SELECT type, count(*) FROM (SELECT type{source} LIMIT %(limit)s) AS counted GROUP BY 1", COUNT_MAX + 1
        )
        counts = dict(found)
        return Counted(
            total=source.total_of(sum(counts.values())),
            by_type={event_type: counts.get(event_type, 0) for event_type in types.values},
        )

    def _records(self, source: "_Source", shape: Rows) -> Records:
        limit = min(shape.limit or self._max_rows, self._max_rows)
        columns = (STORED_COLUMNS.get(column, column) for column in shape.columns)
        rows = source.fetch(
            "SELECT id, {columns}{source} ORDER BY {moment} {direction}, tie {direction} LIMIT %(limit)s",
            limit,
            columns=sql.SQL(", ").join(sql.Identifier(column) for column in columns),
            moment=sql.Identifier(moment_of(self._plan.filters)),
            direction=_DIRECTIONS[shape.order],
        )
        return Records(
            columns=shape.columns,
            rows=[row[1:] for row in rows],
            ids=tuple(str(row[0]) for row in rows),
            total=source.total() if len(rows) == limit else source.total_of(len(rows)),
        )

    def _groups(self, source: "_Source", shape: GroupBy) -> Groups:
        if shape.by in computed.OF_AGENT:
            pairs = _sum(source.values("user_agent"), computed.OF_AGENT[shape.by])
        elif shape.by is By.PLACE:
            pairs = _sum(source.values("ip"), computed.place_of)
        else:
            pairs = source.fetch(
                f"SELECT {{value}} {_TEXT}, count(*){{source}} GROUP BY 1 ORDER BY {{sort}} LIMIT %(limit)s",
                VALUES_MAX,
                value=sql.SQL(_VALUES[shape.by].format(local=local_time(self._plan.filters))),
                sort=_SORTS[shape.sort],
            )
            source.is_partial |= len(pairs) == VALUES_MAX
        ordered = sorted(pairs, key=_key(shape.sort))
        if shape.by is By.WEEKDAY:
            ordered = [(WEEKDAYS[int(day) - 1], count) for day, count in ordered]
        return Groups(
            pairs=_first(ordered, shape)[: self._max_rows],
            total=source.total_of(len(ordered)),
        )


class _Source:
    """The records that meet the conditions of a plan, in the database."""

    def __init__(self, connection: Connection, conditions: Conditions) -> None:
        self._connection = connection
        self._source = conditions.source
        self._parameters = dict(conditions.parameters)
        self.span = conditions.span
        self.is_partial = False
        filters = conditions.filters
        if computed.is_device_asked(filters):
            self._narrow("user_agent", lambda agent: computed.has_device(agent, filters))
        places = filters.places
        if places is not None:
            self._narrow("ip", lambda ip: computed.is_in(ip, places))

    def total(self) -> Total:
        """Return the number of records."""
        ((count,),) = self.fetch("SELECT count(*) FROM (SELECT 1{source} LIMIT %(limit)s) AS counted", COUNT_MAX + 1)
        return self.total_of(count)

    def total_of(self, count: int) -> Total:
        """Return the total for a number of records that were found."""
        is_more = self.is_partial or count > COUNT_MAX
        return Total(count=min(count, COUNT_MAX), is_more=is_more, is_partial=self.is_partial)

    def values(self, column: str) -> Mapping[str, int]:
        """Return the number of records of each value, for at most VALUES_MAX values."""
        statement = f"SELECT {{column}} {_TEXT}, count(*){{source}} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT %(limit)s"
        found = dict(self.fetch(statement, VALUES_MAX, column=sql.Identifier(column)))
        self.is_partial |= len(found) == VALUES_MAX
        return found

    def fetch(self, statement: str, limit: int, **parts: sql.Composable) -> list[tuple[Any, ...]]:
        """Return the rows of a statement with these fixed parts."""
        composed = sql.SQL(statement).format(source=self._source, **parts)
        return self._connection.execute(composed, {**self._parameters, "limit": limit}).fetchall()

    def _narrow(self, column: str, is_asked: Callable[[str], bool]) -> None:
        """Keep only the records whose value is asked for."""
        name = f"asked_{column}"
        self._parameters[name] = [value for value in self.values(column) if is_asked(value)]
        self._source += sql.SQL(" AND {} = ANY({})").format(sql.Identifier(column), sql.Placeholder(name))


def _sum(counts: Mapping[str, int], value_of: Callable[[str], str]) -> list[tuple[str, int]]:
    sums: Counter[str] = Counter()
    for stored, count in counts.items():
        sums[value_of(stored)] += count
    return list(sums.items())


def _key(sort: Sort) -> Callable[[tuple[str, int]], tuple[Any, ...]]:
    sign = {Sort.VALUE: 0, Sort.MOST: -1, Sort.LEAST: 1}[sort]
    return lambda pair: (sign * pair[1], pair[0])


def _first(pairs: list[tuple[str, int]], shape: GroupBy) -> list[tuple[str, int]]:
    """Return the first groups up to the limit, and those that have as many records as the last of them."""
    if shape.limit is None or shape.limit >= len(pairs):
        return pairs
    first = pairs[: shape.limit]
    if shape.sort is Sort.VALUE:
        return first
    return first + [pair for pair in pairs[shape.limit :] if pair[1] == first[-1][1]]
