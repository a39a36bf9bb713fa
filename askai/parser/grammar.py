"""The grammar of questions: each token of a clause gets a slot of the plan, or the question is refused.

The words attach by their type. Where the place of a word can change the meaning, REFUSED has the places that are not
certain.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from ..plans.entities import DEFAULT_COLUMNS, Column, Entity
from ..plans.periods import Part as PartOfDay
from ..plans.periods import Period, Relation
from ..plans.plan import (
    PARTS_MAX,
    By,
    Choice,
    Compare,
    Count,
    Exists,
    Fact,
    Filters,
    Form,
    GroupBy,
    Order,
    Part,
    Plan,
    PlanInvalid,
    Rows,
    Shape,
    Sort,
    State,
    Which,
)
from . import phrases, times
from .chunks import Rule, Tokens, apply, matches
from .events import FACTS, OBJECTS, REVERSIBLE, resolve, types_of
from .lexicon import Token
from .refused import REFUSED

_WHICH = {"this_one": Which.THIS, "other": Which.OTHERS}
_STATES = {"any": State.ANY, "live": State.LIVE, "over": State.ENDED, "end": State.ENDED}
_MODIFIERS = frozenset({*_WHICH, *_STATES}) - {"end"}
_SESSION_WORDS = frozenset({"session", "start", "create", "account", "use", *_WHICH, *_STATES})
_SYSTEMS = {
    Form.IPHONE: {"iOS"},
    Form.IPAD: {"iOS"},
    Form.ANDROID_PHONE: {"Android"},
    Form.ANDROID_TABLET: {"Android"},
    Form.DESKTOP: {"Windows", "macOS", "Linux", "Ubuntu", "ChromeOS"},
}
_GENERAL = frozenset({"event", "happen", "account", "use"})
_TIMES = frozenset({By.HOUR, By.WEEKDAY, By.DAY, By.WEEK, By.MONTH})
_NOUN_PHRASE = frozenset({"con", "and", "or", "comma", "prep", "from", "the", "a", "fill", "adj"})
PAIR = 2
_EXCEPTION = "^fill* (except|not) (prep|from|the|a|fill|con)*"
_COUNTED = "(con|and|comma|fill|prep|from|the|a|aux|me|tense)"
_TAKEN_KINDS = """
    con conds nconds period hours weekdays it top group wgroup cols most compare and or comma
    fill prep from to the a me aux come rel exist ask own mine anyone who all only show when where which what count
    use that tense since_post que ne recent adj ever but apiece have does among stop
"""
_TAKEN = frozenset(_TAKEN_KINDS.split())
"""The kinds that have a slot, or are fillers. REFUSED has the places where a filler would change the meaning."""


def _one_count(tokens: Tokens) -> Tokens:
    last = max(index for index, token in enumerate(tokens) if token.kind == "count")
    return tokens[:last]


def _habit(tokens: Tokens) -> Tokens:
    """Return the act of `よくログインしている`. `多くログインしている` may mean the acts or the present sessions."""
    if not any(token.kind == "most" and token.mark for token in tokens):
        raise PlanInvalid
    return [Token("con", "login") if token.kind == "con" and token.value == "session" else token for token in tokens]


_SIGNED_IN = "(con.session:verb|con.session:yesno)"

RULES = (
    *times.RULES,
    Rule(f"{_SIGNED_IN} ((?!end|con)any)* most | most ((?!end|con)any)* {_SIGNED_IN}", _habit),
    *phrases.RULES,
    # `how many logins and how many logouts since Monday` is one question with one time.
    Rule(f"(?:^|end)({_COUNTED}|period)* count {_COUNTED}* and count (aux|me)*", _one_count),
)


@dataclass(slots=True)
class _Clause:
    """A clause of the question. Each of `groups` has the concepts of one thing that it asks for."""

    tokens: Tokens
    groups: list[set[str]] = field(default_factory=list)
    excluded: list[set[str]] = field(default_factory=list)
    joins: set[str] = field(default_factory=set)
    other: Period | None = None

    def has(self, pattern: str) -> bool:
        """Return whether the pattern occurs in the clause."""
        return matches(pattern, self.tokens)

    def all(self, *kinds: str) -> list[Token]:
        """Return the tokens of these kinds."""
        return [token for token in self.tokens if token.kind in kinds]

    def one(self, *kinds: str) -> Token | None:
        """Return the only token of these kinds. Raises PlanInvalid when there is a second one."""
        found = self.all(*kinds)
        if len(found) > 1:
            raise PlanInvalid
        return found[0] if found else None

    @property
    def is_yes_or_no(self) -> bool:
        return self.has("aux|does|exist|ask|own|con:yesno") and not self.has("OPENER|cols")


def read(tokens: Tokens) -> tuple[Part, ...]:
    """Return the parts of the question. Raises PlanInvalid unless every token has a place in them."""
    parts: list[Part] = []
    previous: Plan | None = None
    things: set[str] = set()
    acts: set[str] = set()
    for clause in _clauses(apply(RULES, tokens)):
        made = _parts(clause, previous, things, acts)
        if parts:
            _check_shared_time(made, parts[-1])
        things = {name for names in clause.groups for name in names & OBJECTS} or things
        acts = {name for names in clause.groups for name in names - OBJECTS} or acts
        if clause.has("it") and previous is not None and isinstance(previous.shape, Exists):
            parts.pop()  # `I exported my data; when was that` asks one thing.
        parts.extend(part for part in made if part not in parts)
        previous = made[0] if len(made) == 1 and isinstance(made[0], Plan) else None
    if not 1 <= len(parts) <= PARTS_MAX:
        raise PlanInvalid
    return tuple(parts)


def _check_shared_time(made: Sequence[Part], last: Part) -> None:
    """Refuse `how many logins today and how many failed logins`. The time of one number may hold for both."""
    for part in made:
        if not (isinstance(part, Plan) and isinstance(last, Plan)) or type(part.shape) is not type(last.shape):
            continue
        is_timed = [any((f.period, f.hours, f.weekdays)) for f in (part.filters, last.filters)]
        if is_timed[0] != is_timed[1] and getattr(part.shape, "limit", None) is None:
            raise PlanInvalid


def _clauses(tokens: Tokens) -> list[_Clause]:
    """Split the question at the ends of sentences, and at `and` before a new question word."""
    clauses: list[Tokens] = [[]]
    for index, token in enumerate(tokens):
        clause, rest = clauses[-1], tokens[index + 1 :]
        # `, were started in May` has no subject, and `alles, was passiert ist` is one phrase.
        continues = matches("^(prep|from|fill)* aux con:verb", rest) or (
            matches("con.event$", clause) and matches("^(prep|from|fill)* what", rest)
        )
        # `of my sessions, which …` names the records first.
        continues = continues or (token.kind == "comma" and matches("^fill*(from|among)((?!conds)any)*$", clause))
        is_joint = token.kind in ("and", "comma") and (
            (not continues and matches("^(prep|from|fill)* (?!show)(OPENER|aux|own|exist)", rest))
            or (token.kind == "comma" and matches("(when|where|count) fill*$", clause))
            # `an API key was refused, and an API key was revoked` has two subjects.
            or (
                token.kind == "and"
                and matches("aux|own", clause)
                and matches("^(the|a|con|adj|fill)* con (aux|own)", rest)
            )
        )
        if token.kind == "end" or (
            is_joint and matches("con|conds|nconds", clause) and not matches(f"{_EXCEPTION}$", clause)
        ):
            clauses.append([])
        else:
            clause.append(token)
    # A greeting is a sentence of its own.
    return [_Clause(tokens=each) for each in clauses if any(token.kind not in ("fill", "comma") for token in each)]


def _parts(clause: _Clause, previous: Plan | None, things: set[str], acts: set[str]) -> list[Part]:
    """Return the parts of one clause. A clause without records asks about those of the previous plan."""
    _take_comparison(clause)
    _take_concepts(clause, things, acts)
    _check(clause)
    if (fact := _fact(clause)) is not None:
        return [fact]
    filters = _filters(clause)
    _add_records(clause)
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


def _check(clause: _Clause) -> None:
    """Refuse the clause when a word is left, or stands where it changes the meaning."""
    kinds = {token.kind for token in clause.tokens}
    changes = any(names & {"create", "enable", "link", "change", "breach"} for names in clause.groups)
    if (
        kinds - _TAKEN - ({"except", "not"} if clause.excluded else set())
        or any(matches(pattern, clause.tokens) for pattern, _ in REFUSED)
        or (clause.has("adj") and not changes)
        or (clause.has("it") and clause.groups)
        or (clause.has("apiece") and len(clause.groups) < PAIR and not clause.has("group"))
        # `the last 5 events that were logins`. In `login events` the words are neighbours.
        or (any("happen" in names and names - _GENERAL for names in clause.groups) and clause.has("what"))
        or (
            any("event" in names and names - _GENERAL for names in clause.groups)
            and clause.has("(?<!con)con.event(?!con)")
        )
        or (clause.has("or") and "or" not in clause.joins)
        # `and` joins concepts or question words, or begins the clause.
        or (not clause.joins and clause.has("(?<!^)(?<!OPENER)and|(?<!^)and(?!OPENER)"))
    ):
        raise PlanInvalid


def _take_comparison(clause: _Clause) -> None:
    """Take the second period of `more logins this week than last week` out of the clause."""
    periods = clause.all("period")
    compares = (
        clause.has("compare|^(?=any*(more|most))any*(than|that|que|period or LINK period)") and len(periods) == PAIR
    )
    if (compares and clause.has("more any* most|most any* (more|most)")) or (
        not compares and (clause.has("compare") or len({each.value for each in periods}) > 1)
    ):
        raise PlanInvalid
    if compares:
        words = ("and", "or", "than", "that", "more", "most", "que", "prep", "comma")
        clause.other = periods[1].value
        clause.tokens = [each for each in clause.tokens if each.kind not in words and each is not periods[1]]
        if not clause.has("compare"):
            clause.tokens.append(Token("compare"))


def _take_concepts(clause: _Clause, things: set[str], acts: set[str]) -> None:
    """Collect the concepts, and read those that a neighbour completes."""
    groups = _collect(clause)
    if clause.has("come:verb") and groups[-1] and groups[-1] <= OBJECTS and types_of(groups[-1]) is None:
        groups[-1].add("create")  # `enregistrées` is said of records and of passkeys.
    modifiers = [names for names in groups if names <= _MODIFIERS]
    clause.groups = [names for names in groups if not names <= _MODIFIERS]
    if clause.groups and all(names <= _GENERAL for names in clause.groups):
        clause.groups = [set().union(*clause.groups)]
    if clause.groups:
        clause.groups[0] = clause.groups[0].union(*modifiers)
    if len(clause.groups) == 1 and types_of(clause.groups[0]) is None:
        if things and not clause.groups[0] & OBJECTS:
            clause.groups[0] |= things  # `when was an API key created, and when was it revoked`
            clause.tokens = [token for token in clause.tokens if token.kind != "it"]
        elif clause.groups[0] <= OBJECTS and clause.has("when") and types_of(clause.groups[0] | acts) is not None:
            clause.groups[0] |= acts  # `when was my password changed, and when my address`
    # `am I logged in` asks for sessions. `was I logged in` asks for a state that began at any time before.
    if clause.has("con.login:verb|con.login:either"):
        if clause.has("STOOD"):
            raise PlanInvalid
        if clause.has("aux.be") and not clause.has("aux.past|aux.have|aux.did"):
            clause.groups = [{"session", *names} - {"login"} if "login" in names else names for names in clause.groups]


def _collect(clause: _Clause) -> list[set[str]]:
    """Return the concepts. `and` and `or` between two of them begin a new group, and `except` an excluded one."""
    groups: list[set[str]] = [set()]
    chosen = groups
    for index, token in enumerate(clause.tokens):
        before, after = clause.tokens[:index], clause.tokens[index + 1 :]
        if token.kind in ("except", "not") and matches("^LINK con", after):
            chosen = clause.excluded
            chosen.append(set())
        elif token.kind not in _NOUN_PHRASE:
            chosen = groups
        if token.kind == "con" or (token.kind == "what" and token.value):
            chosen[-1].update(token.value.split())
        elif token.kind in ("and", "or", "comma") and chosen[-1] and _joins_concepts(before, after):
            clause.joins.add(token.kind)
            chosen.append(set())
    clause.excluded = [names for names in clause.excluded if names]
    return groups


def _joins_concepts(before: Tokens, after: Tokens) -> bool:
    """Return whether concepts stand on both sides, which are no states of sessions: `active and ended`."""
    if not (matches("con", before) and matches("^(?!and|or|comma)any*con", after)):
        return False
    around = (next(each for each in tokens if each.kind == "con") for tokens in (before[::-1], after))
    return not any(each.value in _MODIFIERS for each in around)


def _fact(clause: _Clause) -> Fact | None:
    """Return the fact that a question in the present tense asks for; None for a question about records."""
    names = frozenset(clause.groups[0]) if len(clause.groups) == 1 else frozenset()
    names = names if "session" in names else names - {"live"} - ({"unused"} if "recovery_code" in names else set())
    fact = next((FACTS[each] for each in (names, names - {"account"}, names - {"use"}) if each in FACTS), None)
    is_past = clause.has("aux.past|STOOD|aux.did|aux.have|ever")
    is_number = clause.has("own|aux.ownhave|have|con.live|con.unused|^(count|con|fill|the|prep|comma)*$")
    if (
        clause.has("count")
        and not clause.has("count.often")
        and fact
        and names <= OBJECTS
        and is_number
        and not is_past
    ):
        if not clause.has("^(count|con|own|aux|have|the|me|fill|all|prep|mine|come|comma)*$"):
            raise PlanInvalid
        return Fact(fact)
    is_bare = clause.has("^(?!con.live)(con|the|fill|prep)*$") and (
        names in ({"twofactor"}, {"totp"}) or (fact is not None and clause.has("con:verb"))
    )
    if _is_registered(clause, fact, names) and not is_past:
        if not clause.has("^(count|con|own|aux|have|the|me|fill|all|prep|mine|come|comma|show|ask)*$"):
            raise PlanInvalid
        return Fact(str(fact))
    is_present = (
        is_bare
        or clause.has("own|exist")
        or (clause.has("aux.be") and not clause.has("aux.past|STOOD") and "fail" not in names)
        or (clause.has("aux.have") and "verify" in names)
        or (clause.has("aux.ownhave") and names <= OBJECTS and fact is not None)
    )
    if not (is_present and (clause.is_yes_or_no or is_bare)) or clause.has("ever") or "session" in str(clause.groups):
        return None
    if not names and len(clause.groups) < PAIR:
        return None
    is_thing = fact is not None and names <= OBJECTS
    if (
        clause.is_yes_or_no
        and not is_thing
        and (clause.has("exist") or (fact is None and clause.has("own") and types_of(names) is not None))
    ):
        return None
    if fact is None or clause.excluded or clause.has("CONDITION|top|most|group|wgroup|cols"):
        raise PlanInvalid
    return Fact(fact)


def _is_registered(clause: _Clause, fact: str | None, names: frozenset[str]) -> bool:
    """Return whether the clause asks how many things are registered. Raises PlanInvalid where it may be an event."""
    acts = names - OBJECTS
    if fact not in ("passkey", "api_keys", "totp", "recovery_code") or not acts or clause.has("tense|exist|when"):
        return False
    is_count = clause.has("count") and not clause.has("count.often")
    is_state = clause.has("aux.be|own") and not clause.has("aux.past|STOOD|aux.did|aux.have")
    # No record says which passkeys are there, and `registered passkeys` has no tense.
    if (is_state and clause.has("which|what")) or (
        is_count
        and ((is_state and fact == "recovery_code") or (clause.has("con:verb|come:verb") and not clause.has("STATED")))
    ):
        raise PlanInvalid
    return is_count and is_state


def _filters(clause: _Clause) -> Filters:
    chosen: dict[str, Any] = {}
    for token in clause.all("conds", "nconds", "period", "hours", "weekdays"):
        slot, value = token.kind, token.value
        if token.kind in ("conds", "nconds"):
            slot, values = token.value
            values = tuple(Form(each) for each in values) if slot == "forms" else values
            value = Choice(values, is_not=token.kind == "nconds")
        if chosen.get(slot, value) != value or not value:
            raise PlanInvalid
        chosen[slot] = value
    filters = Filters(**chosen)
    # `from yesterday until now` does not end with that day. `this week so far` ends now in any case.
    named = getattr(getattr(filters.period, "when", None), "name", "today")
    is_open = getattr(filters.period, "relation", None) in (None, Relation.SINCE)
    if clause.has("fill.until") and not (is_open or named == "today" or named.startswith("this_")):
        raise PlanInvalid
    # `last night after 8`, and `from Android and iPhone`: no record meets both. `on Mondays at night` has two dates.
    first, last = filters.hours or (0, 24)
    is_part = isinstance(getattr(filters.period, "when", None), PartOfDay)
    if (filters.hours and is_part) or (first > last and filters.weekdays) or not _can_hold(filters):
        raise PlanInvalid
    return filters


def _can_hold(filters: Filters) -> bool:
    """Return whether one device can have the forms and the systems."""
    forms, systems = filters.forms, filters.systems
    if not forms or not systems or forms.is_not or systems.is_not:
        return True
    return any(form not in _SYSTEMS or _SYSTEMS[form] & {*systems.values} for form in forms.values)


def _add_records(clause: _Clause) -> None:
    """Add the records of `which types are there` and `show my devices`, which name none."""
    if clause.excluded or clause.groups not in ([], [{"use"}]):
        return
    group, columns = clause.one("group", "wgroup"), clause.one("cols")
    if columns and columns.value == (Column.DEVICE,) and clause.has("the") and not clause.has("top|most"):
        clause.tokens.remove(columns)  # `my devices` are those on which the user is signed in.
        clause.groups = [{"session"}]
    if group is None:
        return
    by, sort, _ = group.value
    is_most = clause.has("most") or sort is not Sort.VALUE
    if clause.groups or (is_most and by in phrases.BY_COLUMN.values()):
        clause.groups = [{"login"}]
    elif by is By.TYPE:
        clause.groups = [{"event"}]
    elif by is By.DEVICE and not clause.has("top"):
        clause.groups = [{"session"}]


def _follow(clause: _Clause, filters: Filters, previous: Plan) -> Plan:
    """Return the plan of a clause such as `and from which devices`, about the records of the previous clause.

    In `and when from Paris`, a condition takes the place of the previous one of the same slot.
    """
    named = {each.name: getattr(filters, each.name) for each in fields(filters)}
    given = {slot: value for slot, value in named.items() if value != getattr(Filters(), slot)}
    merged = replace(previous.filters, **given)
    if isinstance(previous.shape, GroupBy | Compare) or not clause.has("OPENER|top"):
        raise PlanInvalid
    if set(given) - {"period"} or clause.has("top"):
        same = (isinstance(previous.shape, Rows) and previous.shape.limit is not None) or not clause.has("top")
        if not same or any(not getattr(previous.filters, slot) for slot in given) or clause.has("group|wgroup|cols"):
            raise PlanInvalid
        shape = _shape(clause, previous.entity) if clause.has("top|count") else previous.shape
        if type(shape) is not type(previous.shape) or not clause.has("OPENER"):
            raise PlanInvalid
        return Plan(entity=previous.entity, shape=shape, filters=merged)
    if isinstance(previous.shape, Rows) and previous.shape.limit is not None:
        if filters.period or clause.has("count|group|wgroup:many"):
            raise PlanInvalid
        return previous
    shape = _shape(clause, previous.entity)
    if previous.entity is Entity.SESSIONS and merged.state is State.LIVE:
        shape = _listed(clause, shape)
    return Plan(entity=previous.entity, shape=shape, filters=merged)


def _event_parts(clause: _Clause, filters: Filters) -> list[Part]:
    is_shared = any(types_of(names) is None for names in clause.groups)
    has_origin = any((filters.ips, filters.browsers, filters.systems, filters.forms, filters.places))
    resolved = resolve(clause.groups)
    excluded = [kind for types in resolve(clause.excluded) for kind in types]
    shape = _shape(clause, Entity.AUDIT_EVENTS)
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
        or (excluded and (any(resolved) or (has_origin and not clause.has(f"{_EXCEPTION} comma"))))
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
        # `where did I log in` may ask for places or for logins.
        or (is_list and clause.has("where|(which|que)(prep|from|the|fill)*cols"))
    ):
        raise PlanInvalid
    listed = resolved if splits else [tuple(dict.fromkeys(kind for types in resolved for kind in types))]
    choices = [Choice(tuple(sorted(types))) if types else None for types in listed]
    if excluded:
        choices = [Choice(tuple(sorted(excluded)), is_not=True)]
    return [Plan(entity=Entity.AUDIT_EVENTS, shape=shape, filters=replace(filters, types=choice)) for choice in choices]


def _of_sessions(clause: _Clause, filters: Filters, names: set[str]) -> dict[str, Any]:
    """Return the shape and filters for sessions. The past tense asks for ended ones too, and their start has a time."""
    states = [state for word, state in _STATES.items() if word in names]
    which = [which for word, which in _WHICH.items() if word in names]
    has_start = bool(names & {"start", "create"})
    is_past = clause.has("aux.did|aux.past|aux.have|STOOD|exist") or (clause.has("aux.ownhave") and has_start)
    # Each session is one device.
    is_number = clause.has("wgroup:counted") and clause.all("wgroup")[0].value[0] is By.DEVICE
    shape = Count() if is_number else _shape(clause, Entity.SESSIONS)
    if not (is_past or has_start or states not in ([], [State.LIVE])):
        shape = _listed(clause, shape)
    by = getattr(shape, "by", None)
    is_timed = any((filters.period, filters.hours, filters.weekdays)) or by in _TIMES
    if (
        # `did I end a session` is an act of the user, and no state of a session.
        ("end" in names and clause.has("aux.ownhave|aux.did any* me|me any* aux.did"))
        or (bool(which) and by is By.DEVICE)
        # `am I signed in since yesterday` may ask for a session that began then, or before.
        or (is_timed and clause.has("SIGNED"))
        # `which sessions started yesterday` may ask for ended ones too.
        or (is_timed and has_start and not states and not which)
        # `quelles sessions ai-je ouvertes hier` asks for the start.
        or (is_timed and State.LIVE in states and clause.has("aux.ownhave|aux.did") and not has_start)
        or (State.LIVE in states and not has_start and getattr(filters.period, "relation", None) is Relation.SINCE)
        or (clause.has("when") and clause.has("SIGNED|own") and filters == Filters() and not which)
        or ("end" in names and clause.has("top any* when"))
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


def _listed(clause: _Clause, shape: Shape) -> Shape:
    """Return the list that `on which devices am I signed in` asks for. Two sessions can have devices of one name."""
    if not (isinstance(shape, GroupBy) and shape.by is By.DEVICE and shape.sort is Sort.VALUE and clause.has("wgroup")):
        return shape
    if shape.limit is not None or clause.has("wgroup:plain any* (aux.be|own)"):
        raise PlanInvalid
    return _rows(clause, Entity.SESSIONS, None, ())


def _shape(clause: _Clause, entity: Entity) -> Shape:
    top, group, columns = clause.one("top"), clause.one("group", "wgroup"), clause.one("cols")
    most = Sort(clause.all("most")[0].value) if clause.one("most") else None
    if most and group is None and clause.has("where|when.hour|when.day"):
        by = By.HOUR if clause.has("when.hour") else By.DAY if clause.has("when.day") else By.PLACE
        group = Token("wgroup", (by, Sort.VALUE, 1))
    if most and group is None and clause.has("which|what") and all(names <= _GENERAL for names in clause.groups):
        group = Token("wgroup", (By.TYPE, Sort.VALUE, 1))
    if top and group and not (group.kind == "wgroup" and group.value[0] not in _TIMES and not group.mark):
        raise PlanInvalid
    if group and not top:
        by, sort, limit = group.value
        # `which day do I log in most` may mean a weekday.
        is_habit = (
            by is By.DAY
            and (most or sort) is Sort.MOST
            and clause.has("con.login:verb|con.login:either|con.use")
            and not clause.has("PAST|period")
        )
        if is_habit or group.mark == "counted" or columns or clause.is_yes_or_no or clause.other:
            raise PlanInvalid
        sort = most or sort
        if sort is Sort.LEAST and by in _TIMES:
            raise PlanInvalid  # An hour without any record has the least.
        return GroupBy(by=by, sort=sort, limit=limit or (1 if most and not group.mark else None))
    if most or ((clause.other or clause.has("count")) and (top or columns)):
        raise PlanInvalid
    if clause.other is not None:
        return Compare(other=clause.other)
    if clause.has("count"):
        return Count()
    return Exists() if clause.is_yes_or_no else _rows(clause, entity, top, columns.value if columns else ())


def _rows(clause: _Clause, entity: Entity, top: Token | None, named: tuple[Column, ...]) -> Rows:
    columns = named or DEFAULT_COLUMNS[entity]
    if not named and entity is Entity.SESSIONS and any("end" in names for names in clause.groups):
        columns = (*columns[:1], Column.ENDED_AT, *columns[1:])
    if clause.has("con any* cols"):
        columns = tuple(column for column in Column if column in {*named, *DEFAULT_COLUMNS[entity]})
    if top is None:
        return Rows(columns=columns)
    order, limit = top.value
    is_plural = clause.has("con:many|many") and not top.mark and not clause.has("con any* (aux|con)(the|fill)*top")
    return Rows(columns=columns, order=Order(order), limit=limit or (None if is_plural else 1))
