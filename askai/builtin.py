"""Plans everyday English questions without a model.

It reads a question by taking out, phrase by phrase, what it understands. Unless only fillers are left over, there is
something that it did not understand, and it answers nothing at all: it never guesses.
"""

import ipaddress
import re
import unicodedata
from collections.abc import Iterable
from datetime import date
from typing import TypeVar

from . import builtin_words as words
from .entities import COLUMNS, DEFAULT_COLUMNS, Column, Entity
from .periods import ANY_DAY, COUNT_MAX, MONTHS, Between, Calendar, Last, Period, Relation, Unit, days_of
from .plan import By, Count, Filters, GroupBy, Order, Plan, PlanInvalid, Rows, Shape

T = TypeVar("T")

_NUMBER = rf"\d{{1,4}}|{'|'.join(words.NUMBERS)}"
_UNITS = {"hour": Unit.HOURS, "day": Unit.DAYS, "week": Unit.WEEKS, "month": Unit.MONTHS}
# `last week` is the calendar's, `in the last week` the past seven days.
_NAMED = r"today|yesterday|this (?:week|month|year)|(?<!the )last (?:week|month|year)"
_MONTH = rf"(?:{words.MONTH_NAMES})"
_DATE = rf"\d{{4}}-\d{{2}}-\d{{2}}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH},? \d{{4}}"
_WHEN = rf"{_DATE}|{_NAMED}|{words.DAYS}|{_MONTH} \d{{4}}|{_MONTH}|\d{{4}}-\d{{2}}|(?:the year )?\d{{4}}"
_COLUMN = "|".join(pattern for pattern, _ in words.COLUMNS)
_NEWEST = r"last|latest|newest|most recent(?:ly)?"
_OLDEST = r"first|oldest|earliest"


def parse(question: str) -> Plan:
    """Return the plan of the question. Raises PlanInvalid when any of it is not understood."""
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
    if is_sessions == is_events or text.holds_more() or text.matches(words.COMMAND):
        raise PlanInvalid
    if is_events and text.matches(words.STATE):
        raise PlanInvalid
    if len(types) > 1 and not text.matches(words.ENUMERATION):
        raise PlanInvalid
    entity = Entity.SESSIONS if is_sessions else Entity.AUDIT_EVENTS
    if is_superlative and limit is None and not is_plural:
        limit = 1
    rows = Rows(columns=columns or DEFAULT_COLUMNS[entity], order=order, limit=limit)
    shape = _shape(rows, is_count=is_count, by=by, is_ordered=is_superlative or is_recent, has_columns=bool(columns))
    if set(rows.columns) - {*COLUMNS[entity]} or (shape == GroupBy(by=By.TYPE) and is_sessions):
        raise PlanInvalid
    return Plan(entity=entity, shape=shape, filters=Filters(types=types, ip=ip, browser=browser, os=os, period=period))


class _Text:
    """A question, and what of it is not understood yet."""

    def __init__(self, question: str) -> None:
        text = unicodedata.normalize("NFKC", question).casefold().replace("\u2019", "'")
        for contraction, full in words.CONTRACTIONS.items():
            text = re.sub(rf"\b{contraction}\b", full, text)
        text = re.sub(rf"\b({_NAMED}|{words.DAYS})'s\b", r"\1", text)
        text = " ".join(re.sub(r"[?!.,;:]+(?=\s|$)", " ", text).split())
        self._whole = self._rest = re.sub(words.POLITE, "", text).replace("to my account", "")
        self.taken = ""

    def matches(self, pattern: str) -> bool:
        """Tell whether the pattern stands anywhere in the question, whole words, taken out or not."""
        return re.search(rf"(?<![\w'-])(?:{pattern})(?![\w'-])", self._whole) is not None

    def take(self, pattern: str, *, is_between: bool = False) -> re.Match[str] | None:
        """Take out the first phrase of this pattern, whole words.

        What stood around it becomes neighbours only when the phrase may stand between the words of another.
        """
        match = re.search(rf"(?<![\w'-])(?:{pattern})(?![\w'-])", self._rest)
        if match is not None:
            gap = " " if is_between else " / "
            self._rest = " ".join(f"{self._rest[: match.start()]}{gap}{self._rest[match.end() :]}".split())
            self.taken = match[0]
        return match

    def take_any(self, meanings: Iterable[tuple[str, T]]) -> list[T]:
        """Take out every phrase of these patterns and return what they mean."""
        found = []
        for pattern, meaning in meanings:
            while self.take(pattern) is not None:
                found.append(meaning)
        return found

    def holds_more(self) -> bool:
        """Tell whether a word is left over that is no filler."""
        return bool(set(self._rest.split()) - words.FILLERS - {"/"})


def _shape(rows: Rows, *, is_count: bool, by: By | None, is_ordered: bool, has_columns: bool) -> Shape:
    """Return the shape that was asked for. `how many … per day` groups, `which device … last` looks at one record."""
    if is_count and (has_columns or is_ordered or by in (By.DEVICE, By.IP)):
        raise PlanInvalid
    if by is not None and not is_ordered:
        if has_columns:
            raise PlanInvalid
        return GroupBy(by=by)
    if by in (By.DAY, By.TYPE):
        raise PlanInvalid
    return Count() if is_count else rows


def _take_columns(text: _Text) -> tuple[Column, ...]:
    """Take `the time and ip of`; () when no columns are named."""
    match = text.take(rf"((?:{_COLUMN})(?:(?: and)? (?:the )?(?:{_COLUMN}))*) of")
    if match is None:
        return ()
    named = {column for pattern, column in words.COLUMNS if re.search(rf"\b(?:{pattern})\b", match[1])}
    return tuple(column for column in Column if column in named)


def _take_ip(text: _Text) -> str | None:
    match = text.take(r"(?:ip address |ip |address )?((?:\d{1,3}\.){3}\d{1,3}|[0-9a-f]*:[0-9a-f:.]+)")
    if match is None:
        return None
    try:
        return str(ipaddress.ip_address(match[1]))
    except ValueError:
        raise PlanInvalid from None


def _take_order(text: _Text) -> tuple[int | None, Order, bool]:
    """Take `the last 5`; the limit, which comes first, and whether one end was asked for at all."""
    for pattern, order in ((_NEWEST, Order.NEWEST), (_OLDEST, Order.OLDEST)):
        match = text.take(rf"(?:({_NUMBER}) )?(?:{pattern})(?: ({_NUMBER}))?", is_between=True)
        if match is not None:
            number = match[1] or match[2]
            return _number(number) if number else None, order, True
    return None, Order.NEWEST, False


def _take_period(text: _Text) -> Period | None:
    """Take what says when. PlanInvalid when that is no time."""
    match = text.take(rf"(?:between ({_WHEN}) and|from ({_WHEN}) (?:to|until|till|through)) ({_WHEN})")
    if match is not None:
        return _between(_when(match[1] or match[2]), _when(match[3]))
    match = text.take(rf"(since|before) ({_WHEN})")
    if match is not None:
        return Calendar(relation=Relation(match[1]), when=_when(match[2]))
    match = text.take(rf"(?:last|past|previous) ({_NUMBER}) ?(h|hour|day|week|month|year)s?")
    if match is not None:
        return _last(_number(match[1]), match[2])
    # Not any `the last day`, which may be the one on which something happened.
    match = text.take(
        r"past (hour|day|week|month|year)|(?:in|within|over|during|for) the last (hour|day|week|month|year)"
    )
    if match is not None:
        return _last(1, match[1] or match[2])
    # Bare, these could be somebody's name, or a number of anything.
    match = text.take(
        rf"(?:on|in|during|of|for|from) ({_DATE}|{words.DAYS}|{_MONTH} \d{{4}}|{_MONTH}|\d{{4}}-\d{{2}}|\d{{4}})"
    )
    match = match or text.take(rf"({_NAMED}|\d{{4}}-\d{{2}}-\d{{2}})")
    return Calendar(relation=Relation.DURING, when=_when(match[1])) if match else None


def _between(first: str, last: str) -> Between:
    try:
        between = Between(first=date.fromisoformat(first), last=date.fromisoformat(last))
    except ValueError:
        raise PlanInvalid from None
    if between.first > between.last:
        raise PlanInvalid
    return between


def _last(count: int, unit: str) -> Last:
    if unit == "year":
        count, unit = count * 12, "month"
    if not 1 <= count <= COUNT_MAX:
        raise PlanInvalid
    return Last(count=count, unit=Unit.HOURS if unit == "h" else _UNITS[unit])


def _when(text: str) -> str:
    """Return the name or ISO date. PlanInvalid when there is no such day."""
    month = next((f"{index}" for index, name in enumerate(MONTHS, start=1) if name in text), None)
    numbers = re.findall(r"\d+", text)
    if not numbers:
        return text.replace(" ", "_")
    # `march 2026`, `march 1 2026`, `1 march 2026`: the year comes last.
    parts = [numbers[-1], month, *numbers[:-1]] if month else numbers
    when = "-".join(part.zfill(2) for part in parts)
    try:
        days_of(when, today=ANY_DAY)
    except ValueError:
        raise PlanInvalid from None
    return when


def _number(text: str) -> int:
    number = int(text) if text.isdecimal() else words.NUMBERS.index(text) + 1
    if number == 0:
        raise PlanInvalid
    return number


def _only(found: list[T]) -> T | None:
    """Return what was found. PlanInvalid when it was several things."""
    if len(set(found)) > 1:
        raise PlanInvalid
    return found[0] if found else None
