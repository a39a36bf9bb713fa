"""The form of a table of words. The tables have phrases only, and all rules are in the code that joins them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from events.vocabulary import ACCOUNT_EVENTS, EventType

from ...plans.entities import Column
from ...plans.plan import By, Form


@dataclass(frozen=True, slots=True, kw_only=True)
class Noun:
    """A noun, for one thing and for any other number of them."""

    one: str
    many: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """Templates of dates. `d`, `m` and `y` are day, month and year; 1 and 2 are the ends of a span."""

    months: Sequence[str]
    weekdays: Sequence[str]
    first_day: str
    """The first day of a month; the others are numbers."""
    day: str
    month: str
    week: str
    moment: str
    """`date` and `time`."""
    on: str
    since: str
    before: str
    from_to: str
    """From `a` to `b`, both with times."""
    in_month: str
    in_year: str
    in_years: str
    hours: str
    """From the hour `a` to the hour `b`."""
    hour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words of one language."""

    dates: Dates
    events: Mapping[EventType, Noun]
    any_event: Noun
    live_sessions: Noun
    ended_sessions: Noun
    any_sessions: Noun
    this_session: Noun
    others: str
    """The condition that excludes the session that asks."""
    ended_in: str
    """The condition that sessions ended in the `period`."""
    except_types: str
    columns: Mapping[Column, str]
    by: Mapping[By, str]
    """The nouns of properties, in the singular. They label conditions and columns."""
    place: str
    weekday: str
    forms: Mapping[Form, str]
    device: str
    """A device by its `browser` and `os`."""
    unknown: str
    count: str
    period: str
    comma: str
    """Between the items of a list."""
    last_comma: str
    """Before the last item of a list of alternatives."""
    colon: str
    """Between what was understood and the answer."""
    stop: str
    """At the end of a sentence."""
    space: str
    """Between two sentences."""
    is_value: str
    is_not_value: str
    grouped: str
    """`subject` grouped by `by`."""
    most: str
    least: str
    zone: str
    number_of: str
    """The number `n` of a `noun`."""
    at_least: str
    none: str
    total: str
    yes: str
    no: str
    newest_is: str
    newest: str
    oldest: str
    """The records of a question for the last or the first one; `one` and `many` are their noun."""
    newest_of: str
    oldest_of: str
    first_of: str
    more_values: str
    partial: str
    """A sentence that only the `n` most frequent values were examined."""
    none_examined: str
    ended_note: str
    events_note: str
    places_note: str
    facts: Mapping[str, tuple[str, str, str]]
    """The name of a fact, and the sentences when it holds and when not. `n` and `until` are the number and the time."""
    questions_on_sessions: Sequence[str]
    questions_on_events: Sequence[str]
    """Questions that work, the most useful first."""
    other_fact: tuple[str, str, str]
    """The same for a second factor that only this deployment has. `name` is its label."""


def nouns(lines: str) -> Mapping[EventType, Noun]:
    """Return the nouns of all events, from lines of the type, the singular and the plural.

    Raises ValueError when an event has no line.
    """
    rows = [line.split("|") for line in lines.strip().split("\n")]
    found = {EventType(row[0]): Noun(one=row[1], many=row[-1]) for row in rows}
    if set(found) != {*ACCOUNT_EVENTS}:
        raise ValueError
    return found
