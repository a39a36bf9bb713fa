"""The grammar of times: tokens become the chunks `period`, `hours` and `weekdays`.

The rules run in order. The longest and most certain phrases come first.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..plans.periods import (
    CALENDAR_UNITS,
    COUNT_MAX,
    HOURS_OF,
    MONTHS,
    NAMES,
    WEEKDAYS,
    Ago,
    Between,
    Calendar,
    Clock,
    Date,
    Day,
    DayPart,
    Last,
    Moment,
    Named,
    Part,
    Period,
    Relation,
    Unit,
)
from ..plans.plan import PlanInvalid
from .chunks import Rule, Tokens, apply, rule
from .lexicon import Token

NOON = 12
HOURS = 24


def read_times(tokens: Tokens) -> Tokens:
    """Return the tokens with chunks of times. Raises PlanInvalid for a time that no calendar has."""
    try:
        return apply(RULES, tokens)
    except ValueError:
        raise PlanInvalid from None


def _find(tokens: Tokens, *kinds: str) -> Any:
    return next((token.value for token in tokens if token.kind in kinds), None)


def _day(value: Day) -> list[Token]:
    return [Token("day", value)]


def _period(value: Period) -> list[Token]:
    return [Token("period", value)]


def _named(tokens: Tokens) -> list[Token]:
    """Return the day, the part of a day or the period that a name such as `yesterday.night` or `last.14.days` means."""
    name, _, part = tokens[0].value.partition(".")
    if name in ("last", "ago"):
        count, unit = part.split(".")
        units: dict[str, Any] = {"count": int(count), "unit": Unit(unit)}
        return _period(Last(**units)) if name == "last" else _day(Ago(**units))
    if name == "since":
        return _period(Calendar(relation=Relation.SINCE, when=Named(name=part)))
    if part:
        return [Token("moment", Part(of=Named(name=name), part=DayPart(part)))]
    if name not in NAMES:
        raise ValueError
    return _day(Named(name=name))


def _date(tokens: Tokens) -> list[Token]:
    return _day(Date(year=_find(tokens, "year"), month=_month(tokens), day=_find(tokens, "ord", "num")))


def _first_of_month(tokens: Tokens) -> list[Token] | None:
    if tokens[0].value != "oldest" or tokens[0].mark:
        return None
    return _date([*tokens, Token("num", 1)])


def _month(tokens: Tokens) -> int:
    return MONTHS.index(_find(tokens, "month")) + 1


def _month_alone(tokens: Tokens) -> list[Token]:
    year = _find(tokens, "year")
    return _day(Date(year=year, month=_month(tokens)) if year else Named(name=_find(tokens, "month")))


def _over(tokens: Tokens) -> list[Token] | None:
    if any(token.kind == "last" and token.value != "newest" for token in tokens):
        return None
    return _day(Named(name=f"last_{_find(tokens, 'weekday', 'month')}"))


def _ago(tokens: Tokens) -> list[Token]:
    count, unit = _find(tokens, "num"), Unit(_find(tokens, "unit"))
    if not 1 <= count <= COUNT_MAX:
        raise ValueError
    if unit in CALENDAR_UNITS:
        return _day(Ago(count=count, unit=unit))
    return [Token("ago_hours", Last(count=count, unit=unit))]


def _last(tokens: Tokens) -> list[Token] | None:
    count = _find(tokens, "num")
    if any(token.kind == "last" and token.value != "newest" for token in tokens):
        return None
    count = 1 if count is None else count
    if not 1 <= count <= COUNT_MAX:
        raise ValueError
    return _period(Last(count=count, unit=Unit(_find(tokens, "unit") or "hours")))


def _is_one_day(day: Day) -> bool:
    match day:
        case Named(name=name):
            return not name.endswith(("week", "month", "year", "weekend", *MONTHS))
        case Date(day=number):
            return number is not None
        case Ago(unit=unit):
            return unit is Unit.DAYS


def _part(tokens: Tokens) -> list[Token] | None:
    day = _find(tokens, "day") or Named(name=_find(tokens, "weekday"))
    if not _is_one_day(day):
        return None
    return [Token("moment", Part(of=day, part=DayPart(_find(tokens, "part", "parts"))))]


def _clock(tokens: Tokens) -> list[Token]:
    numbers = [token for token in tokens if token.kind in ("num", "clock")]
    first = numbers[0].value
    hour, minute = first if isinstance(first, tuple) else (first, numbers[1].value if len(numbers) > 1 else 0)
    halves = [token.value for token in tokens if token.kind in ("ampm", "parts") and token.value != "24"]
    half = halves[0] if halves else ""
    if half == "night":
        half = "am" if hour <= HOURS_OF[DayPart.NIGHT][1] or hour == NOON else "pm"
    return [_clock_token(hour, minute, {"morning": "am", "afternoon": "pm", "evening": "pm"}.get(half, half))]


def _clock_token(hour: int, minute: int, half: str) -> Token:
    if half in ("am", "pm"):
        if not 1 <= hour <= NOON:
            half = ""
        else:
            hour = hour % NOON + (NOON if half == "pm" else 0)
    if not (0 <= hour <= HOURS and 0 <= minute < 60 and hour * 60 + minute <= HOURS * 60):  # noqa: PLR2004 - minutes
        raise ValueError
    return Token("clock", (hour, minute), half or "24")


def _clocks(tokens: Tokens) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return both ends of `between 2 and 4 pm`. The first end takes the half of the day from the last."""
    first, last = (token for token in tokens if token.kind in ("num", "clock"))
    end: tuple[int, int] = last.value
    if first.kind == "clock":
        follows = first.mark == "pm" and last.mark == "24" and first.value[0] - NOON < end[0] < NOON
        return first.value, (end[0] + NOON, end[1]) if follows else end
    begin = _clock_token(first.value, 0, last.mark).value
    if begin > end and last.mark == "pm":
        begin = _clock_token(first.value, 0, "am").value
    return begin, end


def _hours_between(tokens: Tokens) -> list[Token] | None:
    begin, end = _clocks(tokens)
    if begin[1] or end[1] or begin == end:
        day = next((found for token in tokens if (found := _moment(token)) is not None), None)
        if begin >= end or not isinstance(day, Named | Date | Ago) or not _is_one_day(day):
            return None
        return _period(Between(first=_at(day, begin), last=_at(day, end)))
    return [Token("hours", (begin[0] % HOURS, end[0] or HOURS))]


def _on_day(tokens: Tokens) -> list[Token] | None:
    made = _hours_between(tokens)
    if made is None or made[0].kind == "period":
        return made
    return [
        *_period(Calendar(relation=Relation.DURING, when=next(found for token in tokens if (found := _moment(token))))),
        *made,
    ]


def _hours_of_articles(tokens: Tokens) -> list[Token] | None:
    """Return the hours of `entre las 9 y las 12`, whose articles tell that the numbers are clocks."""
    if any(token.value != "clock" for token in tokens if token.kind == "the"):
        return None
    return _hours_between([tokens[2], _clock_token(tokens[-1].value, 0, "")])


def _at(day: Day, clock: tuple[int, int]) -> Clock:
    return Clock(of=day, hour=clock[0], minute=clock[1])


def _moment_at(tokens: Tokens) -> list[Token] | None:
    day = _find(tokens, "day") or Named(name=_find(tokens, "weekday"))
    return [Token("moment", _at(day, _find(tokens, "clock")))] if _is_one_day(day) else None


def _hours_of_relation(tokens: Tokens) -> list[Token] | None:
    (hour, minute), relation = _find(tokens, "clock"), _relation(tokens)
    is_daily = any(token.value == "hours" for token in tokens)
    if relation is Relation.SINCE and not is_daily:
        return _period(Calendar(relation=relation, when=_at(Named(name="today"), (hour, minute))))
    if minute:
        return None
    if relation in (Relation.AFTER, Relation.SINCE):
        return [Token("hours", (hour, HOURS))] if 0 < hour < HOURS else None
    return [Token("hours", (0, hour))] if hour else None


def _hours_of_number(tokens: Tokens) -> list[Token] | None:
    """Return the hours of `antes de las 8`, whose article tells that the number is a clock."""
    if tokens[0].value != "clock":
        return None
    return _hours_of_relation([tokens[0], _clock_token(tokens[1].value, 0, "")])


def _relation(tokens: Tokens) -> Relation:
    kinds = (token.kind.removesuffix("_post") for token in tokens)
    return next(_RELATIONS[kind] for kind in kinds if kind in _RELATIONS)


# `vor` and `前` mean both `ago` and `before`.
_RELATIONS = {"ago": Relation.BEFORE, **{str(relation): relation for relation in Relation if relation != "during"}}


def _moment(token: Token) -> Moment | None:
    match token.kind:
        case "day" | "moment":
            found: Moment = token.value
            return found
        case "weekday":
            return Named(name=token.value)
        case "month":
            return Named(name=token.value)
        case "year":
            return Date(year=token.value)
    return None


def _related(tokens: Tokens) -> list[Token]:
    moment = next(found for token in tokens if (found := _moment(token)) is not None)
    return _period(Calendar(relation=_relation(tokens), when=moment))


def _during(tokens: Tokens) -> list[Token] | None:
    moment = next(found for token in tokens if (found := _moment(token)) is not None)
    if isinstance(moment, Clock):
        return None
    return _period(Calendar(relation=Relation.DURING, when=moment))


def _between(tokens: Tokens) -> list[Token]:
    first, last = (found for token in tokens if (found := _moment(token)) is not None)
    if isinstance(first, Date) and isinstance(last, Date) and first.year is None and last.year is not None:
        first = replace(first, year=last.year)
    if isinstance(first, Named) and first.name in MONTHS and isinstance(last, Date) and last.year and not last.day:
        first = Date(year=last.year, month=MONTHS.index(first.name) + 1)
    if isinstance(first, Date) and isinstance(last, Date) and first.year and last.year:
        ends = [(end.year or 0, end.month or 0, end.day or 0) for end in (first, last)]
        if ends[0] > ends[1]:
            raise ValueError
    return _period(Between(first=first, last=last))


def _between_days(tokens: Tokens) -> list[Token] | None:
    """Return the period of `between 3 and 5 November`: the first day has the month of the last."""
    last = _find(tokens, "day")
    if not isinstance(last, Date) or last.day is None:
        return None
    return _between([Token("day", replace(last, day=_find(tokens, "num", "ord"))), Token("day", last)])


def _neighbours(tokens: Tokens) -> list[Token] | None:
    """Return the period of `14 and 15 November`, and of `the weekend of 14 and 15 November`."""
    last, number = tokens[-1].value, _find(tokens, "num", "ord")
    is_span = tokens[-2].kind == "to" or (isinstance(last, Date) and last.day == number + 1)
    return _between_days([token for token in tokens if token.kind != "day"] + tokens[-1:]) if is_span else None


def _until_day(tokens: Tokens) -> list[Token] | None:
    """Return the period of `11月3日から5日まで`: the last day has the month of the first."""
    first = tokens[0].value
    if not isinstance(first, Date) or first.day is None or _find(tokens, "unit") != "days":
        return None
    return _between([tokens[0], Token("day", replace(first, day=_find(tokens, "num")))])


def _weekday_of_week(tokens: Tokens) -> list[Token] | None:
    week = _find(tokens, "day")
    if not isinstance(week, Named) or week.name not in ("this_week", "last_week", "this_month", "last_month"):
        return None
    index = WEEKDAYS.index(_find(tokens, "weekday"))
    return [*_period(Calendar(relation=Relation.DURING, when=week)), Token("weekdays", frozenset({index}))]


def _hours_of_part(tokens: Tokens) -> list[Token]:
    return [Token("hours", HOURS_OF[DayPart(_find(tokens, "parts", "part"))])]


def _weekdays(tokens: Tokens) -> list[Token]:
    days = [token.value for token in tokens if token.kind == "weekdays"]
    return [Token("weekdays", frozenset().union(*days))]


def _weekday_set(tokens: Tokens) -> list[Token]:
    names = {"weekend": (5, 6), "workday": range(5)}
    value = tokens[0].value
    if isinstance(value, frozenset):
        return tokens
    return [Token("weekdays", frozenset(names[value] if value in names else (WEEKDAYS.index(value),)))]


def _keep(kind: str) -> Callable[[Tokens], list[Token]]:
    return lambda tokens: [token for token in tokens if token.kind == kind]


_X = "(day|moment|weekday|month|year)"
_GAP = "(prep|the|fill)*"
_RELATION = "(since|before|after|until|ago)"
_POST = "(since_post|before_post|after_post|until_post|ago)"

RULES: tuple[Rule, ...] = (
    rule("named", _named),
    rule("num num_unit", lambda tokens: [Token("num", tokens[0].value, "unit")]),
    rule("num ordinal", lambda tokens: [Token("ord", tokens[0].value)]),
    # Dates.
    rule("(ord|num) from? the? month (prep|from)? year", _date),
    rule("month the? (ord|num) (ordinal|comma|prep)? year", _date),
    rule("last from month (prep|from)? year?", _first_of_month),
    rule("(ord|num) from? month", _date),
    rule("month the? (ord|num)", _date),
    rule("month (prep|from|comma)? year", _month_alone),
    rule("weekday comma? the? day", lambda tokens: tokens[-1:] if isinstance(tokens[-1].value, Date) else None),
    # Spans that end now, and days that lie back.
    rule("(last|past) the? num unit | num unit past | num (last|past) unit | last num h_unit | num last h_unit", _last),
    rule("past unit", _last),
    rule("num unit ago | ago num unit", _ago),
    rule("since (prep|fill)* ago_hours | ago_hours since_post", lambda tokens: _period(_find(tokens, "ago_hours"))),
    rule("(last|past) (weekday|month) | (weekday|month) (last|past)", _over),
    rule(f"weekday {_GAP} day | day {_GAP} weekday", _weekday_of_week),
    # Parts of days and clocks.
    rule(f"(day|weekday) {_GAP} (part|parts) | (part|parts) {_GAP} (day|weekday)", _part),
    rule(
        "ampm num h_unit (num (m_unit|unit)?)? | num h_unit (num (m_unit|unit)?)? (ampm|parts)?"
        " | num ampm? (ampm|parts) | num ampm | clock (ampm|parts|h_unit)",
        _clock,
    ),
    rule(f"(between|from) {_GAP} (num|clock) (and|to|until) {_GAP} clock {_GAP} (day|weekday)", _on_day),
    rule(f"(day|weekday) {_GAP} (between|from) {_GAP} (num|clock) (and|to|until) {_GAP} clock", _on_day),
    rule(f"(between|from|since) {_GAP} (num|clock) (and|to|until) {_GAP} clock until_post?", _hours_between),
    rule("clock (since_post|to) clock until_post?", _hours_between),
    rule("between the num and the num", _hours_of_articles),
    rule(f"(day|weekday) {_GAP} clock | clock {_GAP} (day|weekday)", _moment_at),
    rule("(before|after) num", _hours_of_number),
    rule(f"{_RELATION} {_GAP} clock | clock {_POST}", _hours_of_relation),
    # Spans and relations.
    rule("day from (num|ord) (and|to) day | (?<!between)(num|ord) (and|to) day", _neighbours),
    rule(f"(between|from) {_GAP} (num|ord) (and|to|until) {_GAP} day", _between_days),
    rule("day since_post num unit until_post?", _until_day),
    rule(f"(between|from|since) {_GAP} {_X} (and|to|until) {_GAP} {_X}", _between),
    rule(f"{_X} since_post {_X} until_post?", _between),
    rule(f"{_X} to {_X}", _between),
    rule(f"{_RELATION} {_GAP} {_X} | {_X} {_POST}", _related),
    rule("weekdays", _weekday_set),
    rule("weekdays ((and|or|comma) the? weekdays)+", _weekdays),
    rule(f"(prep|from|during) {_GAP} (weekdays|parts)", lambda tokens: tokens[-1:]),
    rule("parts", _hours_of_part),
    rule(f"(prep|from|during)? {_GAP} (?<!last)(?<!past) {_X} (?!last)", _during),
    rule(f"(prep|from|during) {_GAP} (period|hours)", lambda tokens: tokens[-1:]),
)
