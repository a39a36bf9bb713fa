"""A parser that plans everyday English questions without a model.

The parser takes the phrases that it knows out of the question, one by one. When anything but filler words is left, the
parser rejects the whole question. It never guesses.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import TypeVar

from . import builtin_words as words
from .plans.entities import COLUMNS, DEFAULT_COLUMNS, Column, Entity
from .plans.period_json import read_moment, read_period
from .plans.periods import COUNT_MAX, MONTHS, Calendar, Last, Moment, Period, Relation, Unit
from .plans.plan import (
    By,
    Choice,
    Count,
    Filters,
    GroupBy,
    Language,
    Order,
    Plan,
    PlanInvalid,
    Query,
    Rows,
    Shape,
)
from .plans.plan_json import read_address

T = TypeVar("T")

_UNITS = {"hour": Unit.HOURS, "day": Unit.DAYS, "week": Unit.WEEKS, "month": Unit.MONTHS}
_MONTH = rf"(?:{words.MONTH_NAMES})"
_DATE = rf"\d{{4}}-\d{{2}}-\d{{2}}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH},? \d{{4}}"
_WHEN = rf"{_DATE}|{words.NAMED}|{words.DAYS}|{_MONTH} \d{{4}}|{_MONTH}|\d{{4}}-\d{{2}}|(?:the year )?\d{{4}}"
_COLUMN = "|".join(pattern for pattern, _ in words.COLUMNS)


def parse(question: str, *, language: Language | None = None) -> Query:  # noqa: ARG001 - it reads English alone
    """Return the query of the question. Raises PlanInvalid when the parser does not understand every part of it."""
    text = _Text(question)
    by = _only(text.take_any(words.SHAPES))
    columns = _take_columns(text)
    ip = _take_ip(text)
    period = _take_period(text)
    limit, order, is_superlative = _take_order(text)
    is_recent = text.take(r"recent(?:ly)?", is_between=True) is not None
    is_signed_in = text.take(words.SIGNED_IN) is not None
    types = tuple(sorted(set(text.take_any(words.EVENTS))))
    is_sessions = text.take(words.SESSIONS) is not None or is_signed_in
    is_events = text.take(words.ANY_EVENT) is not None or bool(types)
    is_plural = text.taken.endswith("s")
    is_count = text.take(words.COUNTS) is not None
    os = _only(text.take_any(words.SYSTEMS))
    browser = _only(text.take_any((name.lower(), name) for name in words.BROWSERS))
    if is_sessions == is_events or text.has_unknown_words():
        raise PlanInvalid
    filters = Filters(
        types=Choice(types) if types else None,
        ips=Choice((ip,)) if ip else None,
        browsers=Choice((browser,)) if browser else None,
        systems=Choice((os,)) if os else None,
        period=period,
    )
    entity = Entity.SESSIONS if is_sessions else Entity.AUDIT_EVENTS
    _check_sense(text, by=by)
    if is_sessions:
        _check_sessions(text, filters, is_count=is_count)
    else:
        _check_events(text, filters)
    if is_superlative:
        _check_superlative(text, filters, entity=entity)
        limit = limit or (None if is_plural and not text.matches(words.IS_THE_LAST) else 1)
        by = None if limit == 1 and text.matches(words.WHICH_ONE) else by
    rows = Rows(columns=columns or DEFAULT_COLUMNS[entity], order=order, limit=limit)
    shape = _shape(rows, is_count=is_count, by=by, is_ordered=is_superlative or is_recent, has_columns=bool(columns))
    if set(rows.columns) - {*COLUMNS[entity]} or (shape == GroupBy(by=By.TYPE) and is_sessions):
        raise PlanInvalid
    return Query(language=Language.EN, parts=(Plan(entity=entity, shape=shape, filters=filters),))


class _Text:
    """A question, and the part of it that the parser has not taken out yet."""

    def __init__(self, question: str) -> None:
        text = unicodedata.normalize("NFKC", question).casefold().replace("\u2019", "'")
        for contraction, full in words.CONTRACTIONS.items():
            text = re.sub(rf"\b{contraction}\b", full, text)
        text = re.sub(rf"\b({words.NAMED}|{words.DAYS})'s\b", r"\1", text)
        text = " ".join(re.sub(r"[?!.,;:]+(?=\s|$)", " ", text).split())
        self._whole = self._rest = re.sub(words.POLITE, "", text).replace("to my account", "")
        self.taken = ""

    def matches(self, pattern: str) -> bool:
        """Return whether the pattern matches whole words of the question, including those already taken out."""
        return re.search(rf"(?<![\w'-])(?:{pattern})(?![\w'-])", self._whole) is not None

    def rest_matches(self, pattern: str) -> bool:
        """Return whether the pattern matches whole words that are not taken out yet."""
        return re.search(rf"(?<![\w'-])(?:{pattern})(?![\w'-])", self._rest) is not None

    def take(self, pattern: str, *, is_between: bool = False) -> re.Match[str] | None:
        """Take out the first phrase that matches the pattern as whole words, and return the match.

        Returns None when there is no such phrase. With `is_between`, the words before and after the phrase become
        neighbours, so a later pattern can match across the gap. Otherwise a separator stays in the gap.
        """
        match = re.search(rf"(?<![\w'-])(?:{pattern})(?![\w'-])", self._rest)
        if match is not None:
            gap = " " if is_between else " / "
            self._rest = " ".join(f"{self._rest[: match.start()]}{gap}{self._rest[match.end() :]}".split())
            self.taken = match[0]
        return match

    def take_any(self, meanings: Iterable[tuple[str, T]]) -> list[T]:
        """Take out every phrase that matches one of these patterns, and return their meanings."""
        found = []
        for pattern, meaning in meanings:
            while self.take(pattern) is not None:
                found.append(meaning)
        return found

    def has_unknown_words(self) -> bool:
        """Return whether a word is left that is not a filler."""
        return bool(set(self._rest.split()) - words.FILLERS - {"/"})


def _check_sense(text: _Text, *, by: By | None) -> None:
    """Raise PlanInvalid for a command, and for a question that only resembles a question about records."""
    others = (words.COMMAND, words.MEANING, words.CLAUSE, words.UNIVERSAL)
    if any(text.matches(other) for other in others) or (by is not None and text.matches(words.YES_OR_NO)):
        raise PlanInvalid


def _check_sessions(text: _Text, filters: Filters, *, is_count: bool) -> None:
    """Raise PlanInvalid when the question is not only about current sessions. Only current sessions are records."""
    asks_for_start = not is_count and text.matches(words.STARTED)
    if text.matches(words.PAST) or (filters.period is not None and not asks_for_start):
        raise PlanInvalid


def _check_events(text: _Text, filters: Filters) -> None:
    """Raise PlanInvalid when the question asks for a current state, or combines events in a way that no plan can."""
    types = filters.types.values if filters.types else ()
    may_be_reversed = words.REVERSIBLE.intersection(types) and filters.period is None
    if (
        text.matches(words.STATE)
        or (may_be_reversed and text.matches(words.STATE_REACHED))
        or (types and text.matches(words.HAPPENED))
        or (len(types) > 1 and (_has_origin(filters) or not text.matches(words.ENUMERATION)))
    ):
        raise PlanInvalid


def _check_superlative(text: _Text, filters: Filters, *, entity: Entity) -> None:
    """Raise PlanInvalid when the question may ask whether the filters hold for the last record.

    A plan can only filter first and then take the last record.
    """
    if (
        text.matches(words.ABOUT_THE_LAST)
        or (text.matches(words.WHICH_OF) and not text.matches(words.IS_THE_LAST))
        or (_has_origin(filters) and text.matches(words.LAST_CAME_FROM))
        or (entity is Entity.AUDIT_EVENTS and text.matches(words.LAST_THINGS))
    ):
        raise PlanInvalid


def _has_origin(filters: Filters) -> bool:
    return any(value is not None for value in (filters.ips, filters.browsers, filters.systems))


def _shape(rows: Rows, *, is_count: bool, by: By | None, is_ordered: bool, has_columns: bool) -> Shape:
    """Return the shape that the question asks for. `how many … per day` asks for groups.

    Raises PlanInvalid for a count or groups with columns or an order. Also raises it for a count per device or address.
    """
    if is_count and (has_columns or is_ordered or by in (By.DEVICE, By.IP)):
        raise PlanInvalid
    if by is not None:
        if has_columns or is_ordered:
            raise PlanInvalid
        return GroupBy(by=by)
    return Count() if is_count else rows


def _take_columns(text: _Text) -> tuple[Column, ...]:
    """Take out a phrase such as `the time and ip of`, and return its columns. Return () without such a phrase."""
    match = text.take(rf"((?:{_COLUMN})(?:(?: and)? (?:the )?(?:{_COLUMN}))*) of")
    if match is None:
        return ()
    named = {column for pattern, column in words.COLUMNS if re.search(rf"\b(?:{pattern})\b", match[1])}
    return tuple(column for column in Column if column in named)


def _take_ip(text: _Text) -> str | None:
    match = text.take(r"(?:ip address |ip |address )?((?:\d{1,3}\.){3}\d{1,3}|[0-9a-f]*:[0-9a-f:.]+)")
    return read_address(match[1]) if match else None


def _take_order(text: _Text) -> tuple[int | None, Order, bool]:
    """Take out a phrase such as `the last 5`. Return the limit, the order, and whether there was such a phrase.

    Raises PlanInvalid for `in the last 5`: such a question applies its filters to the last five records. A plan filters
    first and then takes the last five.
    """
    if text.rest_matches(words.AMONG_THE_LAST):
        raise PlanInvalid
    for pattern, order in ((words.NEWEST, Order.NEWEST), (words.OLDEST, Order.OLDEST)):
        match = text.take(rf"(?:({words.NUMBER}) )?(?:{pattern})(?: ({words.NUMBER}))?", is_between=True)
        if match is not None:
            number = match[1] or match[2]
            return _number(number) if number else None, order, True
    return None, Order.NEWEST, False


def _take_period(text: _Text) -> Period | None:
    """Take out the phrase that names a time, and return its period; None without such a phrase.

    Raises PlanInvalid when the phrase names no valid time.
    """
    match = text.take(rf"(?:between ({_WHEN}) and|from ({_WHEN}) (?:to|until|till|through)) ({_WHEN})")
    if match is not None:
        ends = {"first": _when(match[1] or match[2]), "last": _when(match[3])}
        if any(len(end) < len("2026-03-01") or not end[0].isdecimal() for end in ends.values()):
            raise PlanInvalid
        return read_period({"kind": "between", **ends})
    match = text.take(rf"(since|before) ({_WHEN})")
    if match is not None:
        return Calendar(relation=Relation(match[1]), when=_moment(match[2]))
    match = text.take(rf"(?:last|past|previous) ({words.NUMBER}) ?(h|hour|day|week|month|year)s?")
    if match is not None:
        return _last(_number(match[1]), match[2])
    # `the last day` needs a preposition here. Without one, it may be the day on which something happened.
    match = text.take(
        r"past (hour|day|week|month|year)|(?:in|within|over|during|for) the last (hour|day|week|month|year)"
    )
    if match is not None:
        return _last(1, match[1] or match[2])
    # These need a preposition. Without one, they could be a person's name or any number.
    match = text.take(
        rf"(?:on|in|during|of|for|from) ({_DATE}|{words.DAYS}|{_MONTH} \d{{4}}|{_MONTH}|\d{{4}}-\d{{2}}|\d{{4}})"
    )
    match = match or text.take(rf"({words.NAMED}|\d{{4}}-\d{{2}}-\d{{2}})")
    return Calendar(relation=Relation.DURING, when=_moment(match[1])) if match else None


def _last(count: int, unit: str) -> Last:
    if unit == "year":
        count, unit = count * 12, "month"
    if not 1 <= count <= COUNT_MAX:
        raise PlanInvalid
    return Last(count=count, unit=Unit.HOURS if unit == "h" else _UNITS[unit])


def _moment(text: str) -> Moment:
    """Return the named time. Raises PlanInvalid when no such day exists."""
    return read_moment(_when(text))


def _when(text: str) -> str:
    """Return the name or ISO date in the form of a plan."""
    month = next((f"{index}" for index, name in enumerate(MONTHS, start=1) if name in text), None)
    numbers = re.findall(r"\d+", text)
    if not numbers:
        return text.replace(" ", "_")
    # The year comes last in `march 2026`, `march 1 2026` and `1 march 2026`.
    parts = [numbers[-1], month, *numbers[:-1]] if month else numbers
    return "-".join(part.zfill(2) for part in parts)


def _number(text: str) -> int:
    number = int(text) if text.isdecimal() else words.NUMBERS.index(text) + 1
    if number == 0:
        raise PlanInvalid
    return number


def _only(found: list[T]) -> T | None:
    """Return the one value that was found; None without any. Raises PlanInvalid for several different values."""
    if len(set(found)) > 1:
        raise PlanInvalid
    return found[0] if found else None
