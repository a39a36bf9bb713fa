"""The rules of times: tokens become the chunks `period`, `hours` and `weekdays`.

The rules run in order. The longest and most certain phrases come first. The values of `day` and `moment` are texts that
`read_moment` reads, such as `--11-13` and `yesterday evening`.
"""

import re
from typing import Any

from ..plans.period_json import read_period
from ..plans.periods import CALENDAR_UNITS, HOURS_OF, MONTHS, WEEKDAYS, DayPart, Relation
from ..plans.plan import PlanInvalid
from .chunks import Make, Rule, Tokens
from .lexicon import Token

NOON = 12
HOURS = 24

_ONE_DAY = re.compile(rf"today|(day_before_)?yesterday|(last_)?({'|'.join(WEEKDAYS)})|.*-\d\d-\d\d|\d+ days ago")
_DATE = re.compile(r"(\d{4}|-)-(\d\d)(?:-(\d\d))?|(\d{4})")
_MOMENTS = ("day", "moment", "weekday", "month", "year")
# `vor` and `前` mean both `ago` and `before`.
_RELATIONS = {"ago": Relation.BEFORE, "since_day": Relation.SINCE, **{str(each): each for each in Relation}}
_HALVES = {"morning": "am", "afternoon": "pm", "evening": "pm"}
_SETS = {"weekend": (5, 6), "workday": range(5)}


def _values(tokens: Tokens) -> dict[str, Any]:
    """Return the first value of each kind, and as `n` the first number."""
    found: dict[str, Any] = {}
    for token in tokens:
        found.setdefault(token.kind, token.value)
        if token.kind in ("num", "ord"):
            found.setdefault("n", token.value)
        if token.kind == "month":
            found["month_number"] = MONTHS.index(token.value) + 1
    return found


def _text(kind: str, template: str) -> Make:
    """Return a function that makes a token of this kind. The template has the names of kinds."""
    return lambda tokens: [Token(kind, template.format_map(_values(tokens)))]


def _period(**members: Any) -> list[Token]:
    return [Token("period", read_period(members))]


def _moments(tokens: Tokens) -> list[str]:
    return [str(token.value) for token in tokens if token.kind in _MOMENTS]


def _relation(tokens: Tokens) -> Relation:
    kinds = (token.kind.removesuffix("_post") for token in tokens)
    return next(_RELATIONS[kind] for kind in kinds if kind in _RELATIONS)


def _related(tokens: Tokens) -> list[Token]:
    named = _moments(tokens) or [tokens[0].value]
    return _period(kind=_relation(tokens), when=named[0])


def _during(tokens: Tokens) -> list[Token] | None:
    """Return the period of a moment. Its mark tells whether `on Monday` names the latest one without saying so."""
    (when,) = _moments(tokens)
    if when.endswith(" ago") and tokens[0].kind == "during":
        raise PlanInvalid  # `over 3 days ago` is no day.
    if ":" in when:
        return None
    is_latest = any(token.kind == "weekday" or (token.kind == "day" and token.mark == "~") for token in tokens)
    is_weekend = any(token.kind == "day" and token.mark == "~" for token in tokens)
    mark = "weekend" if is_weekend else "latest" if is_latest else "day" if _ONE_DAY.fullmatch(when) else ""
    return [Token("period", _period(kind="during", when=when)[0].value, mark)]


def _last(tokens: Tokens) -> list[Token] | None:
    """Return the period of `the last 3 days`. `the first 3 days` is none."""
    if any(token.kind == "last" and token.value != "newest" for token in tokens):
        return None
    found = _values(tokens)
    return _period(kind="last", count=found.get("n", 1), unit=found.get("unit", "hours"))


def _ago(tokens: Tokens) -> list[Token]:
    found = _values(tokens)
    if found["unit"] in CALENDAR_UNITS:
        return [Token("day", f"{found['n']} {found['unit']} ago")]
    return [Token("ago_hours", (found["n"], found["unit"]))]


def _since_hours(tokens: Tokens) -> list[Token]:
    count, unit = _values(tokens)["ago_hours"]
    return _period(kind="last", count=count, unit=unit)


def _part(tokens: Tokens) -> list[Token] | None:
    found = _values(tokens)
    (day,) = _moments(tokens)
    part = found.get("parts", found.get("part"))
    if any(token.kind == "parts" and not token.mark for token in tokens) and day in WEEKDAYS:
        raise PlanInvalid  # `Monday mornings`
    return [Token("moment", f"{day} {part}")] if _ONE_DAY.fullmatch(day) else None


def _weekday_of_week(tokens: Tokens) -> list[Token] | None:
    found = _values(tokens)
    if found["day"] not in ("this_week", "last_week", "this_month", "last_month"):
        return None
    day = frozenset({WEEKDAYS.index(found["weekday"])})
    return [*_period(kind="during", when=found["day"]), Token("weekdays", day)]


def _half(tokens: Tokens) -> list[Token]:
    """Return the day and the half of the day of `昨日の午後2時`."""
    day, _, part = tokens[0].value.rpartition(" ")
    return [Token("day", day), Token("ampm", _HALVES.get(part, part))]


def _clock(tokens: Tokens) -> list[Token]:
    numbers = [token.value for token in tokens if token.kind in ("num", "clock")]
    hour, minute = numbers[0] if isinstance(numbers[0], tuple) else (numbers[0], [*numbers, 0][1])
    half = next(
        (token.value for token in tokens if token.kind in ("ampm", "parts", "part") and token.value != "24"), ""
    )
    if half == "night":
        half = "am" if hour <= HOURS_OF[DayPart.NIGHT][1] or hour == NOON else "pm"
    return [_clock_token(hour, minute, _HALVES.get(half, half))]


def _clock_token(hour: int, minute: int, half: str) -> Token:
    half = half if 1 <= hour <= NOON else ""
    if half in ("am", "pm"):
        hour = hour % NOON + (NOON if half == "pm" else 0)
    if minute not in range(60) or hour * 60 + minute > HOURS * 60:
        raise PlanInvalid
    return Token("clock", (hour, minute), half or "24")


def _hours_between(tokens: Tokens) -> list[Token] | None:
    """Return the hours of `between 2 and 4 pm`, or a period when a day has them. The ends share the half of the day."""
    first, last = (token for token in tokens if token.kind in ("num", "clock"))
    begin, end = first.value, last.value
    if first.kind == "num":
        begin = _clock_token(first.value, 0, last.mark).value
        if begin > end and last.mark == "pm":
            begin = _clock_token(first.value, 0, "am").value
    elif first.mark == "pm" and last.mark == "24" and begin[0] - NOON < end[0] < NOON:
        end = (end[0] + NOON, end[1])
    day = next(iter(_moments(tokens)), "")
    is_night = begin > end and any(end)
    if begin == end or (day and (is_night or not _ONE_DAY.fullmatch(day))):
        return None
    if begin[1] or end[1]:
        return _period(kind="between", first=_at(day, begin), last=_at(day, end)) if day else None
    hours = Token("hours", (begin[0] % HOURS, end[0] or HOURS), "night" if is_night else "")
    return [*_period(kind="during", when=day), hours] if day else [hours]


def _at(day: str, clock: tuple[int, int]) -> str:
    return f"{day} {clock[0]:02}:{clock[1]:02}"


def _moment_at(tokens: Tokens) -> list[Token] | None:
    (day,) = _moments(tokens)
    return [Token("moment", _at(day, _values(tokens)["clock"]))] if _ONE_DAY.fullmatch(day) else None


def _hours_of_relation(tokens: Tokens) -> list[Token] | None:
    (hour, minute), relation = _values(tokens)["clock"], _relation(tokens)
    if relation is Relation.SINCE and not any(token.value == "hours" for token in tokens):
        return _period(kind=relation, when=_at("today", (hour, minute)))
    hours = (hour, HOURS) if relation in (Relation.AFTER, Relation.SINCE) else (0, hour)
    return [Token("hours", hours)] if not minute and 0 < hour < HOURS else None


def _with_clock(make: Make) -> Make:
    """Return a function for `antes de las 8`, whose article tells that the last number is a clock."""
    return lambda tokens: make([*tokens[:-1], _clock_token(tokens[-1].value, 0, "")])


def _between(tokens: Tokens) -> list[Token]:
    """Return the period of two moments. The first takes its year, and the last its month, from the other."""
    first, last = (
        f"--{MONTHS.index(each) + 1:02}"
        if each in MONTHS and any(_DATE.fullmatch(day) for day in _moments(tokens))
        else each
        for each in _moments(tokens)
    )
    if last.endswith(" night") and " " not in first:
        raise PlanInvalid
    begin, end = _DATE.fullmatch(first), _DATE.fullmatch(last)
    if begin and end and begin[1] == "-" and (end[1] or "-") != "-":
        first = end[1] + first[1:]
    is_pair = f"{first}{last}".isalpha() or (begin and end and end[3] and int(begin[3] or 0) + 1 == int(end[3]))
    is_week = {first, last} <= {*WEEKDAYS}
    if (first, last) == (WEEKDAYS[0], WEEKDAYS[4]):
        raise PlanInvalid  # `Monday to Friday` may mean every workday.
    mark = "latest" if is_week else "pair" if is_pair else ""
    return [Token("period", _period(kind="between", first=first, last=last)[0].value, mark)]


def _between_days(tokens: Tokens) -> list[Token] | None:
    """Return the period of `between 3 and 5 November`: the first day has the month of the last."""
    day = tokens[-1].value
    if not (_ONE_DAY.fullmatch(day) and _DATE.fullmatch(day)):
        return None
    return _between([Token("day", f"{day[:-2]}{_values(tokens)['n']:02}"), Token("day", day)])


def _neighbours(tokens: Tokens) -> list[Token] | None:
    """Return the period of `14 and 15 November`, and of `the weekend of 14 and 15 November`."""
    number, day = _values(tokens)["n"], tokens[-1].value
    is_span = tokens[-2].kind == "to" or day.endswith(f"-{number + 1:02}")
    return _between_days(tokens) if is_span else None


def _next_day(tokens: Tokens) -> list[Token] | None:
    """Return the period of `September 12 and 13`."""
    day, number = tokens[0].value, tokens[2].value
    if not (_ONE_DAY.fullmatch(day) and _DATE.fullmatch(day)) or (
        tokens[1].kind == "and" and int(day[-2:]) + 1 != number
    ):
        return None
    return _between([tokens[0], Token("day", f"{day[:-2]}{number:02}")])


def _until_day(tokens: Tokens) -> list[Token] | None:
    """Return the period of `11月3日から5日まで`: the last day has the month of the first."""
    found = _values(tokens)
    if found["unit"] != "days" or not (_ONE_DAY.fullmatch(found["day"]) and _DATE.fullmatch(found["day"])):
        return None
    return _between([tokens[0], Token("day", f"{found['day'][:-2]}{found['n']:02}")])


def _part_hours(tokens: Tokens) -> list[Token]:
    part = DayPart(tokens[0].value)
    marks = ("nights", "one_night") if part is DayPart.NIGHT else ("", "definite")
    return [Token("hours", HOURS_OF[part], marks[bool(tokens[0].mark)])]


def _night_between(tokens: Tokens) -> list[Token]:
    """Return the one night of `the night from 9 to 10 November`. Refuse `the night to 10 November`, which begins before."""
    ends = [token for token in tokens if token.kind in ("num", "ord", "day", "weekday")]
    first, last = str(ends[0].value), str(ends[-1].value)
    if last in WEEKDAYS and WEEKDAYS[WEEKDAYS.index(last) - 1] == first:
        return [Token("moment", f"{first} night")]
    if (
        len(ends) == 1
        or not (_ONE_DAY.fullmatch(last) and _DATE.fullmatch(last))
        or int(last[-2:]) - 1 != ends[0].value
    ):
        raise PlanInvalid
    return [Token("moment", f"{last[:-2]}{ends[0].value:02} night")]


def _weekday_set(tokens: Tokens) -> list[Token]:
    value = tokens[0].value
    if isinstance(value, frozenset):
        return tokens
    return [Token("weekdays", frozenset(_SETS[value] if value in _SETS else (WEEKDAYS.index(value),)))]


def _united(tokens: Tokens) -> list[Token]:
    return [Token("weekdays", frozenset().union(*(token.value for token in tokens if token.kind == "weekdays")))]


def _weekday_range(tokens: Tokens) -> list[Token] | None:
    """Return the days of `from Monday to Friday in October`. A longer period tells that every week is meant."""
    first, last = (WEEKDAYS.index(token.value) for token in tokens if token.kind == "weekday")
    days = frozenset(range(first, last + 1) if first < last else {*range(first, 7), *range(last + 1)})
    rest = [token for token in tokens if token.kind in ("day", "month", "year", "period")]
    return None if rest[0].kind == "day" and _ONE_DAY.fullmatch(rest[0].value) else [*rest, Token("weekdays", days)]


def _unit_before(tokens: Tokens) -> list[Token] | None:
    """Return the second day of `last week than the week before`."""
    which, _, unit = tokens[0].value.partition("_")
    if which not in ("this", "last") or f"{unit}s" != _values(tokens)["unit"]:
        return None
    return [*tokens[:-3], Token("day", f"last_{unit}" if which == "this" else f"2 {unit}s ago")]


def _check_end(tokens: Tokens) -> None:
    """Refuse `before 8 am yesterday` and `from 10 November`: the time may end with that day, or not."""
    (day,) = _moments(tokens)
    is_today = day == "today" and tokens[0].kind == "after"
    is_past = tokens[0].value == "from" and day in ("yesterday", "today")
    if _ONE_DAY.fullmatch(day) and not (is_today or is_past):
        raise PlanInvalid


def _past(tokens: Tokens) -> list[Token] | None:
    found = _values(tokens)
    if found.get("last", "newest") != "newest":
        return None
    return [Token("day", f"last_{found.get('weekday', found.get('month'))}")]


_RELATION = "(since|before|after|until|ago)"
_POST = "(since_post|before_post|after_post|until_post|ago)"

RULES: tuple[Rule, ...] = (
    Rule(
        "span",
        lambda tokens: _period(kind="last", count=int(tokens[0].value.split()[0]), unit=tokens[0].value.split()[1]),
    ),
    Rule("since_day", _related),
    # `ab` also ends a verb.
    Rule("from.ab (?=GAP (X|clock|num|ord|last|past))", lambda _: [Token("since")]),
    Rule("num num_unit", lambda tokens: [Token("num", tokens[0].value, "unit")]),
    Rule("num ordinal", lambda tokens: [Token("ord", tokens[0].value)]),
    # Dates.
    Rule("(ord|num) from? the? month (prep|from)? year", _text("day", "{year:04}-{month_number:02}-{n:02}")),
    Rule("month the? (ord|num) (ordinal|comma|prep)? year", _text("day", "{year:04}-{month_number:02}-{n:02}")),
    Rule("last.oldest:plain from month (prep|from)? year", _text("day", "{year:04}-{month_number:02}-01")),
    Rule("last.oldest:plain from month", _text("day", "--{month_number:02}-01")),
    Rule("(ord|num) from? month | month the? (ord|num)", _text("day", "--{month_number:02}-{n:02}")),
    Rule("month (prep|from|comma)? year", _text("day", "{year:04}-{month_number:02}")),
    Rule("(weekday|habit) comma? the? day", lambda tokens: tokens[-1:] if _DATE.fullmatch(tokens[-1].value) else None),
    # Spans that end now, and days that lie back.
    Rule("(last|past) the? num unit | num unit past | num (last|past) unit | last num h_unit | num last h_unit", _last),
    Rule("past unit", _last),
    Rule("num unit ago | ago num unit", _ago),
    Rule("since (prep|fill)* ago_hours | ago_hours since_post", _since_hours),
    Rule("(last|past) (weekday|month) | (weekday|month) (last:plain|past)", _past),
    Rule("day ((?!day|end)any)* the unit before", _unit_before),
    Rule("weekday GAP day | day GAP weekday", _weekday_of_week),
    # Parts of days and clocks.
    Rule("moment (?=num h_unit|clock)", _half),
    Rule("NIGHT LINK (num|ord|weekday) ONTO GAP (day|weekday)", _night_between),
    Rule("NIGHT fill* ONTO GAP (day|weekday|num|ord)", _night_between),
    Rule("(day|weekday) GAP (part|parts) | (part|parts) (from|prep|the)* (day|weekday)", _part),
    Rule(
        "(ampm|parts:plain) num h_unit (num (m_unit|unit)?)? | num h_unit (num (m_unit|unit)?)? (ampm|parts)?"
        " | num ampm? (ampm|parts|part) | num ampm | clock (ampm|parts|h_unit)",
        _clock,
    ),
    Rule("(between|from) GAP (num|clock) (and|to|until) GAP clock GAP (day|weekday)", _hours_between),
    Rule("(day|weekday) GAP (between|from) GAP (num|clock) (and|to|until) GAP clock", _hours_between),
    Rule("(between|from|since) GAP (num|clock) (and|to|until) GAP clock until_post?", _hours_between),
    Rule("clock (since_post|to) clock until_post?", _hours_between),
    Rule(
        "between the.clock num and the.clock num",
        lambda t: _hours_between([_clock_token(t[2].value, 0, ""), _clock_token(t[5].value, 0, "")]),
    ),
    Rule("(before|after|until) GAP (num h_unit?|clock) GAP (day|weekday)", _check_end),
    Rule(
        "(day|weekday) GAP clock (before_post|after_post|until_post|since_post.hours) | from.from the? (day|weekday) (?!GAP(to|until))",
        _check_end,
    ),
    Rule("(day|weekday) GAP clock | clock GAP (day|weekday)", _moment_at),
    Rule("(before.clock|after.clock) num", _with_clock(_hours_of_relation)),
    Rule(f"{_RELATION} GAP clock | clock {_POST}", _hours_of_relation),
    # Spans and relations.
    Rule("day from (num|ord) (and|to) day", lambda tokens: _neighbours(tokens[1:])),
    Rule("(?<!between)(num|ord) (and|to) day", _neighbours),
    Rule("(between|from) GAP (num|ord) (and|to|until) GAP day", _between_days),
    Rule("day (and|to) (num|ord) (?!unit|h_unit|ampm|month)", _next_day),
    Rule("day since_post num unit until_post?", _until_day),
    Rule("(between|from)? GAP weekday (to|until) GAP weekday GAP (day|month)", _weekday_range),
    Rule("(day|month) GAP (between|from)? GAP weekday (to|until) GAP weekday", _weekday_range),
    Rule("(between|from|since) GAP X (and|to|until) GAP X", _between),
    Rule("X since_post X until_post? | X to X", _between),
    Rule(f"{_RELATION} GAP X | X {_POST}", _related),
    Rule("day.this_weekend:verb GAP (?=month)", lambda _: [Token("weekdays", "weekend")]),
    Rule("month GAP day.this_weekend:verb", lambda tokens: [tokens[0], Token("weekdays", "weekend")]),
    Rule("habit GAP (?=month|day|period)", lambda tokens: [Token("weekdays", tokens[0].value)]),
    Rule("(month|day|period) GAP habit", lambda tokens: [*tokens[:-1], Token("weekdays", tokens[-1].value)]),
    Rule("weekdays", _weekday_set),
    Rule("weekdays ((and|or|comma) the? weekdays)+", _united),
    Rule("(prep|from|during) GAP (weekdays|parts)", lambda tokens: tokens[-1:]),
    Rule("parts", _part_hours),
    Rule("(prep|from|during)? GAP (?<!last)(?<!past) X (?!last)", _during),
    Rule("(prep|from|during) GAP (period|hours)", lambda tokens: tokens[-1:]),
)
"""The rules that make the chunks of times."""
