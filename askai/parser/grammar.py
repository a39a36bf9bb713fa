"""The grammar of questions: each token of a clause gets a slot of the plan, or the question is refused.

The words attach by their type. Where the place of a word can change the meaning, REFUSED has the places that are not
certain.
"""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from ..plans.entities import Column, Entity
from ..plans.periods import Relation
from ..plans.plan import (
    PARTS_MAX,
    By,
    Choice,
    Compare,
    Count,
    Exists,
    Filters,
    GroupBy,
    Part,
    Plan,
    PlanInvalid,
    Rows,
    Sort,
    State,
)
from . import phrases, times
from .chunks import Rule, Tokens, apply
from .clauses import EXCEPTION, STATED, STATES, WHICH, Clause, check, split, take_comparison, take_concepts
from .events import OBJECTS, REVERSIBLE, resolve, types_of
from .facts import find_fact
from .lexicon import Token
from .shapes import TIMES, filters_of, listed, shape_of

_SESSION_WORDS = frozenset({"session", "start", "create", "account", "use", *WHICH, *STATES})
_COUNTED = "(con|and|comma|fill|prep|from|the|a|aux|me|tense)"
_SIGNED_IN = "(con.session:verb|con.session:yesno)"


def _one_count(tokens: Tokens) -> Tokens:
    last = max(index for index, token in enumerate(tokens) if token.kind == "count")
    return tokens[:last]


def _habit(tokens: Tokens) -> Tokens:
    """Return the act of `よくログインしている`. `多くログインしている` may mean the acts or the present sessions."""
    if not any(token.kind == "most" and token.mark for token in tokens):
        raise PlanInvalid
    return [Token("con", "login") if token.kind == "con" and token.value == "session" else token for token in tokens]


RULES = (
    *times.RULES,
    Rule(f"{_SIGNED_IN} ((?!end|con)any)* most | most ((?!end|con)any)* {_SIGNED_IN}", _habit),
    *phrases.RULES,
    # `how many logins and how many logouts since Monday` is one question with one time.
    Rule(f"(?:^|end)({_COUNTED}|period)* count {_COUNTED}* and count (aux|me)*", _one_count),
)


def join(tokens: Tokens) -> Tokens:
    """Return the chunks of the question."""
    return apply(RULES, tokens)


def read(chunks: Tokens) -> tuple[Part, ...]:
    """Return the parts of the question. Raises PlanInvalid unless every chunk has a place in them."""
    parts: list[Part] = []
    previous: Plan | None = None
    things: set[str] = set()
    acts: set[str] = set()
    is_topic = False
    for clause in split(chunks):
        made = _parts(clause, previous, things, acts)
        if parts:
            _check_shared_time(made, parts[-1])
        things = {name for names in clause.groups for name in names & OBJECTS} or things
        acts = {name for names in clause.groups for name in names - OBJECTS} or acts
        is_asked = previous is not None and isinstance(previous.shape, Exists) and clause.has("it")
        if is_asked or (is_topic and previous is not None and not clause.groups):
            parts.pop()  # `I exported my data; when was that` and `failed logins; how many` ask one thing.
        is_topic = not clause.has(STATED)
        parts.extend(part for part in made if part not in parts)
        previous = made[0] if len(made) == 1 and isinstance(made[0], Plan) else None
    if not 1 <= len(parts) <= PARTS_MAX:
        raise PlanInvalid
    return tuple(parts)


def _check_shared_time(made: Sequence[Part], last: Part) -> None:
    """Refuse `how many logins today and how many failed logins`. The time of one part may hold for both."""
    for part in made:
        if not (isinstance(part, Plan) and isinstance(last, Plan)):
            continue
        is_timed = [any((f.period, f.hours, f.weekdays)) for f in (part.filters, last.filters)]
        is_later = is_timed[0] and type(part.shape) is not type(last.shape)
        if is_timed[0] != is_timed[1] and not is_later and getattr(part.shape, "limit", None) is None:
            raise PlanInvalid


def _parts(clause: Clause, previous: Plan | None, things: set[str], acts: set[str]) -> list[Part]:
    """Return the parts of one clause. A clause without records asks about those of the previous plan."""
    take_comparison(clause)
    take_concepts(clause, things, acts)
    check(clause)
    if (fact := find_fact(clause)) is not None:
        return [fact]
    filters = filters_of(clause)
    _add_records(clause, previous)
    if not clause.groups:
        if previous is None or clause.excluded:
            raise PlanInvalid
        return [_follow(clause, filters, previous)]
    sessions = [names for names in clause.groups if "session" in names and names <= _SESSION_WORDS]
    if not sessions:
        return _event_parts(clause, filters)
    if len(clause.groups) > 1 or clause.excluded:
        raise PlanInvalid
    return [Plan(entity=Entity.SESSIONS, **_of_sessions(clause, filters, sessions[0]))]


def _add_records(clause: Clause, previous: Plan | None) -> None:
    """Add the records of `which types are there` and `show my devices`, which name none."""
    if clause.excluded or clause.groups not in ([], [{"use"}]):
        return
    group, columns = clause.one("group", "wgroup"), clause.one("cols")
    if columns and columns.value == (Column.DEVICE,) and clause.has("the") and not clause.has("top|most"):
        clause.tokens.remove(columns)  # `my devices` are those on which the user is signed in.
        clause.groups = [{"session"}]
        return
    if group is None:
        return
    by, sort, _ = group.value
    is_most = clause.has("most") or sort is not Sort.VALUE
    if clause.groups or (is_most and by in phrases.BY_COLUMN.values()):
        clause.groups = [{"login"}]
    elif by is By.TYPE:
        clause.groups = [{"event"}]
    elif by is By.DEVICE and previous is None and not clause.has("top"):
        clause.groups = [{"session"}]


def _follow(clause: Clause, filters: Filters, previous: Plan) -> Plan:
    """Return the plan of a clause such as `and from which devices`, about the records of the previous clause.

    In `and when from Paris`, a condition takes the place of the previous one of the same slot.
    """
    named = {each.name: getattr(filters, each.name) for each in fields(filters)}
    given = {slot: value for slot, value in named.items() if value != getattr(Filters(), slot)}
    merged = replace(previous.filters, **given)
    # `and how many do I have left` asks for no records of the previous clause.
    if isinstance(previous.shape, GroupBy | Compare) or not clause.has("OPENER|top") or clause.has("own|have"):
        raise PlanInvalid
    if set(given) - {"period"} or clause.has("top"):
        same = (isinstance(previous.shape, Rows) and previous.shape.limit is not None) or not clause.has("top")
        if not same or any(not getattr(previous.filters, slot) for slot in given) or clause.has("group|wgroup|cols"):
            raise PlanInvalid
        shape = shape_of(clause, previous.entity) if clause.has("top|count") else previous.shape
        if type(shape) is not type(previous.shape) or not clause.has("OPENER"):
            raise PlanInvalid
        return Plan(entity=previous.entity, shape=shape, filters=merged)
    if isinstance(previous.shape, Rows) and previous.shape.limit is not None:
        if filters.period or clause.has("count|group|wgroup:many"):
            raise PlanInvalid
        return previous
    shape = shape_of(clause, previous.entity)
    if previous.entity is Entity.SESSIONS and merged.state is State.LIVE:
        shape = listed(clause, shape)
    return Plan(entity=previous.entity, shape=shape, filters=merged)


def _event_parts(clause: Clause, filters: Filters) -> list[Part]:
    is_shared = any(types_of(names) is None for names in clause.groups)
    has_origin = any((filters.ips, filters.browsers, filters.systems, filters.forms, filters.places))
    resolved = resolve(clause.groups)
    excluded = [kind for types in resolve(clause.excluded) for kind in types]
    shape = shape_of(clause, Entity.AUDIT_EVENTS)
    is_state = any(kind in REVERSIBLE for types in resolved for kind in types)
    is_list = isinstance(shape, Rows) and shape.limit is None
    top = clause.one("top")
    splits = (
        len(resolved) > 1
        and "or" not in clause.joins
        and (top is not None or clause.is_yes_or_no or (is_list and clause.has("when|apiece")))
    )
    if (
        (len(resolved) > 1 and (not all(resolved) or (has_origin and not is_shared)))
        or (excluded and (any(resolved) or (has_origin and not clause.has(f"{EXCEPTION} comma"))))
        # `have I enabled 2FA` may ask for the present state.
        or (
            is_state
            and not filters.period
            and clause.is_yes_or_no
            and clause.has("aux.have")
            and not clause.has("ever")
        )
        # `war mein Konto gestern gesperrt` asks for a state, which may have begun before.
        or (is_state and filters.period and clause.has("aux.stood|ask.stood"))
        or (splits and top is not None and getattr(shape, "limit", None) != 1)
    ):
        raise PlanInvalid
    listed = resolved if splits else [tuple(dict.fromkeys(kind for types in resolved for kind in types))]
    choices = [Choice(tuple(sorted(types))) if types else None for types in listed]
    if excluded:
        choices = [Choice(tuple(sorted(excluded)), is_not=True)]
    return [Plan(entity=Entity.AUDIT_EVENTS, shape=shape, filters=replace(filters, types=choice)) for choice in choices]


def _of_sessions(clause: Clause, filters: Filters, names: set[str]) -> dict[str, Any]:
    """Return the shape and filters for sessions. The past tense asks for ended ones too, and their start has a time."""
    states = [state for word, state in STATES.items() if word in names]
    which = [which for word, which in WHICH.items() if word in names]
    has_start = bool(names & {"start", "create"})
    is_past = clause.has("aux.did|aux.past|aux.have|STOOD|exist") or (clause.has("aux.ownhave") and has_start)
    # Each session is one device.
    is_number = clause.has("wgroup:counted") and clause.all("wgroup")[0].value[0] is By.DEVICE
    shape = Count() if is_number else shape_of(clause, Entity.SESSIONS)
    if not (is_past or has_start or states not in ([], [State.LIVE])):
        shape = listed(clause, shape)
    by = getattr(shape, "by", None)
    is_timed = any((filters.period, filters.hours, filters.weekdays)) or by in TIMES
    if (
        # `did I end a session` is an act of the user, and no state of a session.
        ("end" in names and clause.has("aux.ownhave|aux.did any* me|me any* aux.did"))
        or (bool(which) and by is By.DEVICE)
        or (clause.has("fill.here") and WHICH["other"] not in which)
        # `am I signed in since yesterday` may ask for a session that began then, or before.
        or (is_timed and clause.has("SIGNED"))
        # `which sessions started yesterday` may ask for ended ones too.
        or (is_timed and has_start and not states and not which)
        # `quelles sessions ai-je ouvertes hier` asks for the start.
        or (is_timed and State.LIVE in states and clause.has("aux.ownhave|aux.did") and not has_start)
        or (State.LIVE in states and not has_start and getattr(filters.period, "relation", None) is Relation.SINCE)
        or (clause.has("when") and clause.has("SIGNED|own") and filters == Filters() and not which)
        or ("end" in names and clause.has("top any* when"))
        # `quand expire ma session` asks for the future.
        or (clause.has("when") and clause.has("con.end:either|con.end:order") and not clause.has("PAST"))
        # `ended sessions of last week` may mean the time of the start or of the end.
        or (is_timed and ("over" in names or ("end" in names and clause.has("when"))))
        or len(states) > 1
        or len(which) > 1
        or by is By.TYPE
        # `which sessions were active yesterday` asks for a state of the past.
        or (is_past and not has_start and (not states or State.LIVE in states))
    ):
        raise PlanInvalid
    state = states[0] if states else State.ANY if is_past else State.LIVE
    by_end = "end" in names and not has_start
    return {
        "shape": shape,
        "filters": replace(filters, state=state, which=which[0] if which else None, by_end=by_end),
    }
