"""The understood line of an answer: the records, the conditions and the times of a plan, in the reader's words.

Everything that selects records is in it. So a reader sees a condition that the plan leaves out of the question.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from ..plans.countries import COUNTRIES
from ..plans.entities import Entity
from ..plans.plan import By, Choice, Compare, Filters, GroupBy, Language, Order, Plan, Rows, State, Which
from ..running.conditions import span_of
from ..running.scope import Scope
from .dates import say_hour, say_span
from .rendering import one_line
from .words.table import Noun, Words

OF_TIME = (By.HOUR, By.WEEKDAY, By.DAY, By.WEEK, By.MONTH)
"""The groups that depend on the time zone."""


def say_plan(plan: Plan, *, language: Language, words: Words, scope: Scope) -> str:
    """Return the noun of the records, their time and the other conditions."""
    filters = plan.filters
    said = _subject(plan, words)
    if isinstance(plan.shape, Rows) and plan.shape.limit == 1:
        template = words.newest if plan.shape.order is Order.NEWEST else words.oldest
        noun = noun_of(plan, words)
        said = template.format(one=noun.one if said == noun.many else said, many=said)
    if isinstance(plan.shape, GroupBy):
        said = words.grouped.format(subject=said, by=words.by[plan.shape.by])
    times = list(_times(plan, words=words, scope=scope))
    conditions = [*times[1:], *_conditions(filters, language=language, words=words)]
    first = f"{said}{_gap(words)}{times[0]}" if times and times[0] else said
    zone = words.zone.format(zone=scope.zone.key) if times else ""
    return words.comma.join([f"{first}{zone}", *conditions])


def noun_of(plan: Plan, words: Words) -> Noun:
    """Return the noun of the records that the plan asks for, when they have one noun."""
    filters = plan.filters
    if plan.entity is Entity.SESSIONS:
        nouns = {State.LIVE: words.live_sessions, State.ENDED: words.ended_sessions, State.ANY: words.any_sessions}
        return words.this_session if filters.which is Which.THIS else nouns[filters.state]
    types = filters.types
    if types is not None and not types.is_not and len(types.values) == 1:
        return words.events[types.values[0]]
    return words.any_event


def capital(text: str) -> str:
    """Return the text with an upper-case letter first."""
    return text[:1].upper() + text[1:]


def say_list(items: Sequence[str], words: Words) -> str:
    """Return alternatives as a list."""
    *first, last = items
    return words.last_comma.join([words.comma.join(first), last]) if first else last


def _subject(plan: Plan, words: Words) -> str:
    types = plan.filters.types
    if types is None or (len(types.values) == 1 and not types.is_not):
        return noun_of(plan, words).many
    named = say_list([words.events[event_type].many for event_type in types.values], words)
    return words.except_types.format(list=named) if types.is_not else named


def _gap(words: Words) -> str:
    """Return the gap between a noun and its time: a blank, except in a language without blanks."""
    return words.space or words.comma


def _times(plan: Plan, *, words: Words, scope: Scope) -> Iterator[str]:
    """Yield the period, or "" without one, then hours and weekdays. Yield nothing without any time."""
    filters, dates = plan.filters, words.dates
    # The two periods of a comparison stand beside their numbers.
    period = None if isinstance(plan.shape, Compare) else filters.period
    is_timed = isinstance(plan.shape, Compare) or (isinstance(plan.shape, GroupBy) and plan.shape.by in OF_TIME)
    if not (is_timed or period or filters.hours or filters.weekdays):
        return
    span = say_span(span_of(period, scope=scope), zone=scope.zone, dates=dates) if period else ""
    yield words.ended_in.format(period=span) if span and filters.by_end else span
    if filters.hours is not None:
        first, last = filters.hours
        yield dates.hours.format(a=say_hour(first), b=say_hour(last))
    if filters.weekdays:
        days = say_list([dates.weekdays[day] for day in sorted(filters.weekdays)], words)
        yield words.is_value.format(name=words.weekday, values=days)


def _conditions(filters: Filters, *, language: Language, words: Words) -> Iterator[str]:
    labelled: Sequence[tuple[str, Choice[Any] | None]] = (
        (words.by[By.IP], filters.ips),
        (words.by[By.BROWSER], filters.browsers),
        (words.by[By.OS], filters.systems),
        (words.by[By.FORM], filters.forms),
        (words.place, filters.places),
    )
    for name, choice in labelled:
        if choice is not None:
            values = say_list([_say_value(value, language=language, words=words) for value in choice.values], words)
            yield (words.is_not_value if choice.is_not else words.is_value).format(name=name, values=values)
    if filters.which is Which.OTHERS:
        yield words.others


def _say_value(value: Any, *, language: Language, words: Words) -> str:
    """Return a form or a country in the language, and any other value as it is."""
    names = COUNTRIES.get(value.upper())
    return words.forms.get(value) or (names[language] if names else one_line(value))
