"""The grammar of questions: each token of a clause gets a slot of the plan, or the question is refused.

The words attach by their type. Where the place of a word can change the meaning, a function that begins with `_check`
refuses every place but the certain one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from events.vocabulary import EventType

from ..plans.entities import DEFAULT_COLUMNS, Column, Entity
from ..plans.periods import Period
from ..plans.plan import (
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
from .chunks import Tokens, apply
from .conditions import RULES, Condition, Group, Top
from .events import FACTS, OBJECTS, types_of
from .lexicon import Token
from .times import read_times

PARTS_MAX = 4
_REVERSIBLE = frozenset({EventType.ACCOUNT_LOCKED, EventType.API_KEY_CREATED, EventType.OAUTH_LINKED})
_REVERSIBLE |= {EventType.PASSKEY_REGISTERED, EventType.TOTP_ENABLED, EventType.TOTP_DISABLED}
PAIR = 2

GROUPED = {
    Column.DEVICE: By.DEVICE,
    Column.BROWSER: By.BROWSER,
    Column.OS: By.OS,
    Column.IP: By.IP,
    Column.LOCATION: By.PLACE,
}

_COUNTED_FACTS = frozenset({frozenset({"api_key"}), frozenset({"passkey"})})
"""The facts whose answer has a number."""

_WHICH = {"this_one": Which.THIS, "other": Which.OTHERS}
_STATES = {"any": State.ANY, "live": State.LIVE, "over": State.ENDED, "end": State.ENDED}
OPENERS = frozenset({"when", "where", "which", "what", "wgroup", "who", "count", "show", "compare"})
_FILLERS = """
    fill prep from to the a me aux come rel exist ask own mine anyone who all only show when where which what count
    use than tense since_post que ne recent adj ever
"""
FILLERS = frozenset(_FILLERS.split())
"""The kinds that may remain. The checks have refused them where they change the meaning."""
SESSION_MODIFIERS = frozenset({*_WHICH, *_STATES}) - {"end"}
SESSION_WORDS = frozenset({"session", "start", "create", "account", "use", *_WHICH, *_STATES})
_ADJECTIVE_CONTEXT = frozenset({"start", "the", "all", "prep", "from", "show", "count", "which", "what", "a", "own"})
_COUNTED = frozenset({"count", "con", "and", "comma", "fill", "prep", "from", "the", "a", "aux", "me", "tense"})
_TIMES = frozenset({By.HOUR, By.WEEKDAY, By.DAY, By.WEEK, By.MONTH})
_SHAPES = frozenset({"top", "group", "wgroup", "cols", "most", "compare"})
_NOUN_CONTEXT = frozenset({"the", "a", "top", "con", "count", "which", "what", "num", "per", "each", "adj"})
_GENERAL = frozenset({"event", "happen", "account", "use"})
_NEUTRAL_ACTS = frozenset({"create", "enable", "happen", "event", "use"})


@dataclass(slots=True)
class _Clause:
    """A clause of the question, and what its tokens say."""

    tokens: Tokens
    top: Top | None = None
    group: Group | None = None
    columns: tuple[Column, ...] = ()
    period: Period | None = None
    other: Period | None = None
    groups: list[set[str]] = field(default_factory=list)
    joined_by: set[str] = field(default_factory=set)
    excluded: list[set[str]] = field(default_factory=list)

    def has(self, *kinds: str) -> bool:
        return any(token.kind in kinds for token in self.tokens)

    def has_aux(self, *values: str) -> bool:
        return any(token.kind == "aux" and token.value in values for token in self.tokens)

    def places(self, *kinds: str) -> list[int]:
        return [index for index, token in enumerate(self.tokens) if token.kind in kinds]

    def before(self, index: int, *skipped: str) -> Token:
        """Return the token before this place, without those of the kinds `skipped`."""
        found = (token for token in reversed(self.tokens[:index]) if token.kind not in skipped)
        return next(found, Token("start"))

    @property
    def is_yes_or_no(self) -> bool:
        asks = self.has("aux", "exist", "ask", "own") or any(token.mark == "?" for token in self.tokens)
        return asks and not self.has(*OPENERS, "cols")


def read(tokens: Tokens) -> tuple[Part, ...]:
    """Return the parts of the question. Raises PlanInvalid unless every token has a place in them."""
    tokens = apply(RULES, read_times(tokens))
    parts: list[Part] = []
    previous: Plan | None = None
    things: set[str] = set()
    for clause in _clauses(tokens):
        made = _parts(clause, previous, things)
        _check_shared_time(made, parts)
        things = {name for names in clause.groups for name in names & OBJECTS} or things
        # `I exported my data; when was that` asks one thing.
        is_context = previous is not None and isinstance(previous.shape, Exists)
        if clause.has("it") and parts and is_context:
            parts.pop()
        parts.extend(part for part in made if part not in parts)
        previous = plan if len(made) == 1 and isinstance(plan := made[0], Plan) else None
    if not 1 <= len(parts) <= PARTS_MAX:
        raise PlanInvalid
    return tuple(parts)


def _check_shared_time(made: Sequence[Part], parts: Sequence[Part]) -> None:
    """Refuse `how many logins today and how many failed logins`. The time of one number may hold for both."""
    last = parts[-1] if parts else None
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
        ahead = [each for each in tokens[index + 1 :] if each.kind not in ("prep", "from", "fill")]
        following = ahead[0].kind if ahead else ""
        # `, were started in May` has no subject, so it continues its clause.
        if following == "aux" and len(ahead) > 1 and (ahead[1].kind, ahead[1].mark) == ("con", "~"):
            following = ""
        kinds = {each.kind for each in clauses[-1]}
        # `alles, was passiert ist` is one phrase.
        is_relative = following == "what" and bool(clauses[-1]) and clauses[-1][-1] == Token("con", "event")
        before = next((each.kind for each in reversed(clauses[-1]) if each.kind != "fill"), "")
        ends_part = token.kind == "comma" and before in ("when", "where", "count")
        is_joint = (
            not is_relative
            and token.kind in ("and", "comma")
            and following in {*OPENERS, "aux", "own", "exist"} - {"show"}
        ) or ends_part
        has_records = bool(kinds & {"con", "conds", "nconds"})
        # `how many logins and how many logouts since Monday` is one question with one time.
        order = [each.kind for each in clauses[-1] if each.kind in ("count", "period")]
        is_counted = kinds <= _COUNTED | {"period"} and order in (["count"], ["period", "count"])
        is_one_count = following == "count" and is_counted and token.kind == "and"
        if token.kind == "count" and is_counted and clauses[-1][-1].kind == "and":
            continue
        if token.kind == "end" or (is_joint and has_records and not is_one_count):
            clauses.append([])
            continue
        clauses[-1].append(token)
    # A greeting is a sentence of its own.
    return [_Clause(tokens=each) for each in clauses if any(token.kind not in ("fill", "comma") for token in each)]


def _parts(clause: _Clause, previous: Plan | None, things: set[str]) -> list[Part]:
    """Return the parts of one clause. A clause without records asks about those of the previous plan."""
    _take_slots(clause)
    _take_concepts(clause)
    if (
        things
        and len(clause.groups) == 1
        and not clause.groups[0] & OBJECTS
        and types_of(frozenset(clause.groups[0])) is None
    ):
        clause.groups[0] |= things  # `when was an API key created, and when was it revoked`
        clause.tokens = [token for token in clause.tokens if token.kind != "it"]
    _check(clause)
    if (fact := _fact(clause)) is not None:
        return [fact]
    filters = _filters(clause)
    _add_records(clause)
    if not clause.groups and previous is not None and not clause.excluded:
        return [_follow(clause, filters, previous)]
    sessions = [names for names in clause.groups if "session" in names and names <= SESSION_WORDS]
    if sessions:
        if len(clause.groups) > 1 or clause.excluded:
            raise PlanInvalid
        return [_plan(clause, Entity.SESSIONS, _session_filters(clause, filters, sessions[0]))]
    if not clause.groups:
        raise PlanInvalid
    return _event_parts(clause, filters)


def _add_records(clause: _Clause) -> None:
    """Add the records of `which types are there` and `show my devices`, which name none."""
    if clause.excluded or clause.groups not in ([], [{"use"}]):
        return
    if clause.columns == (Column.DEVICE,) and clause.has("the") and not clause.top:
        clause.columns, clause.group = (), Group(by=By.DEVICE)
    if clause.group is None:
        return
    if clause.groups or (_is_most(clause) and clause.group.by in GROUPED.values()):
        clause.groups = [{"login"}]
        return
    if clause.group.by is By.TYPE:
        clause.groups.append({"event"})
    if clause.group.by is By.DEVICE and clause.group.sort is Sort.VALUE and not clause.has("most", "top"):
        clause.groups.append({"session"})


def _asks_hour(clause: _Clause) -> bool:
    """Return whether the clause asks `at what time`, and not for a date."""
    return any(token.kind == "when" and token.value == "hour" for token in clause.tokens)


def _is_most(clause: _Clause) -> bool:
    return clause.has("most") or (clause.group is not None and clause.group.sort is not Sort.VALUE)


def _follow(clause: _Clause, filters: Filters, previous: Plan) -> Plan:
    """Return the plan of a clause such as `and from which devices`, about the records of the previous clause."""
    if filters != replace(Filters(), period=filters.period) or clause.top or not clause.has(*OPENERS):
        raise PlanInvalid
    period = filters.period or previous.filters.period
    limited = isinstance(previous.shape, Rows) and previous.shape.limit is not None
    if limited:
        if clause.has("count", "group") or filters.period or (clause.group and clause.group.is_plural):
            raise PlanInvalid
        return previous
    if isinstance(previous.shape, GroupBy | Compare):
        raise PlanInvalid
    return _plan(clause, previous.entity, replace(previous.filters, period=period))


def _event_parts(clause: _Clause, filters: Filters) -> list[Part]:
    is_shared = any(types_of(frozenset(names)) is None for names in clause.groups)
    has_origin = any((filters.ips, filters.browsers, filters.systems, filters.forms, filters.places))
    resolved = _resolve(clause.groups)
    excluded = [kind for names in _resolve(clause.excluded) for kind in names]
    if (len(resolved) > 1 and not all(resolved)) or (excluded and (any(resolved) or has_origin)):
        raise PlanInvalid
    if excluded:
        types = Choice(tuple(sorted(excluded)), is_not=True)
        return [_plan(clause, Entity.AUDIT_EVENTS, replace(filters, types=types))]
    reversible = any(kind in _REVERSIBLE for types in resolved for kind in types) and filters.period is None
    if reversible and clause.is_yes_or_no and clause.has_aux("have") and not clause.has("ever"):
        raise PlanInvalid
    if len(resolved) > 1 and has_origin and not is_shared:
        raise PlanInvalid
    splits = len(resolved) > 1 and "or" not in clause.joined_by and (clause.top is not None or clause.is_yes_or_no)
    if splits and clause.top is not None and clause.top.limit not in (None, 1):
        raise PlanInvalid
    listed = resolved if splits else [tuple(dict.fromkeys(kind for names in resolved for kind in names))]
    return [
        _plan(clause, Entity.AUDIT_EVENTS, replace(filters, types=Choice(tuple(sorted(types))) if types else None))
        for types in listed
    ]


def _resolve(groups: Sequence[set[str]]) -> list[tuple[EventType, ...]]:
    """Return the types of each group of concepts. Groups may share a thing or an act: `2FA turned off and on`."""
    resolved = []
    for index, names in enumerate(groups):
        before = groups[index - 1] if index else set()
        after = groups[index + 1] if index + 1 < len(groups) else set()
        choices = [names]
        if not names & OBJECTS:
            choices += [names | (before & OBJECTS), names | (after & OBJECTS)]
        elif not names - OBJECTS:
            choices += [names | (after - OBJECTS)]
        found = next((types for choice in choices if (types := types_of(frozenset(choice))) is not None), None)
        shared = (
            types_of(frozenset(choices[-1])) if len(choices) > 1 and names <= OBJECTS and not after & names else None
        )
        if found is None or (shared is not None and shared != found):
            raise PlanInvalid
        names.update(next(choice for choice in choices if types_of(frozenset(choice)) is not None) & OBJECTS)
        resolved.append(found)
    return resolved


def _take_slots(clause: _Clause) -> None:
    """Move the chunks with one slot each out of the clause. Refuse a second value for a slot."""
    tops = [token.value for token in clause.tokens if token.kind == "top"]
    grouped = [token.value for token in clause.tokens if token.kind in ("group", "wgroup")]
    columns = [token.value for token in clause.tokens if token.kind == "cols"]
    periods = [token.value for token in clause.tokens if token.kind == "period"]
    compares = clause.has("compare") or (
        clause.has("more", "most") and clause.has("than", "que") and len(periods) == PAIR
    )
    most_periods = PAIR if compares else 1
    if max(len(tops), len(grouped), len(columns)) > 1 or len(periods) > most_periods or (compares and not periods[1:]):
        raise PlanInvalid
    clause.top = tops[0] if tops else None
    numbers = [token for token in clause.tokens if token.kind == "num" and token.mark == "unit"]
    if clause.top is not None and clause.top.limit is None and len(numbers) == 1 and numbers[0].value:
        clause.top = replace(clause.top, limit=numbers[0].value)
        clause.tokens.remove(numbers[0])
    clause.group = grouped[0] if grouped else None
    named: tuple[Column, ...] = columns[0] if columns else ()
    clause.columns = named
    if clause.has("most") and clause.group is None and len(named) == 1 and named[0] in GROUPED:
        clause.group, clause.columns = Group(by=GROUPED[named[0]]), ()
    clause.period = periods[0] if periods else None
    clause.other = periods[1] if compares else None
    kept = [
        token
        for token in clause.tokens
        if not (compares and token.kind in ("and", "than", "more", "most", "que", "prep", "comma"))
    ]
    clause.tokens = kept


def _take_concepts(clause: _Clause) -> None:
    """Collect the concepts. `and` and `or` between two concepts begin a new group."""
    places = clause.places("con")
    groups: list[set[str]] = [set()]
    for index, token in enumerate(clause.tokens):
        if token.kind == "what" and token.value:
            groups[-1].add(token.value)
        if token.kind == "con":
            before = clause.before(index, "prep", "from", "the", "a", "fill")
            if before.kind in ("except", "not"):
                clause.excluded.append(set())
            chosen = clause.excluded or groups
            chosen[-1] |= set(token.value.split())
        elif token.kind in ("and", "or", "comma") and any(p < index for p in places) and any(p > index for p in places):
            follows = clause.tokens[index + 1].kind if index + 1 < len(clause.tokens) else ""
            chosen = clause.excluded or groups
            around = [
                clause.tokens[max(p for p in places if p < index)],
                clause.tokens[min(p for p in places if p > index)],
            ]
            is_modifier = any(each.value in SESSION_MODIFIERS for each in around)
            if chosen[-1] and follows not in ("and", "or", "comma") and not is_modifier:
                clause.joined_by.add(token.kind)
                chosen.append(set())
    clause.groups = [names for names in groups if names and not names <= SESSION_MODIFIERS]
    if clause.groups and all(names <= _GENERAL for names in clause.groups):
        clause.groups = [set().union(*clause.groups)]
    if clause.groups:
        clause.groups[0] = clause.groups[0].union(*(names for names in groups if names <= SESSION_MODIFIERS))
    _read_participle(clause)
    _check_event_noun(clause)


def _read_participle(clause: _Clause) -> None:
    """Read `am I logged in` as a session. `was I logged in yesterday` asks for a state that began at any time before."""
    is_participle = any(
        token.kind == "con" and token.value == "login" and token.mark in ("~", "=") for token in clause.tokens
    )
    if is_participle and clause.has_aux("was"):
        raise PlanInvalid
    if is_participle and clause.has_aux("be") and not clause.has_aux("past", "have", "did"):
        clause.groups = [{"session", *names} - {"login"} if "login" in names else names for names in clause.groups]


def _check_event_noun(clause: _Clause) -> None:
    """Refuse `the last 5 events that were logins`. In `login events` the words are neighbours."""
    for index in clause.places("con"):
        is_event = clause.tokens[index].value == "event"
        if any("happen" in names and names - _GENERAL for names in clause.groups) and clause.has("what"):
            raise PlanInvalid
        neighbours = clause.tokens[max(index - 1, 0) : index + 2]
        others = [names - {"event", "happen", "account"} for names in clause.groups if "event" in names]
        if is_event and any(others) and sum(token.kind == "con" for token in neighbours) < PAIR:
            raise PlanInvalid


def _check(clause: _Clause) -> None:
    """Refuse the clause when a word is left, or stands where it changes the meaning."""
    _check_leftovers(clause)
    _check_people(clause)
    _check_commands(clause)
    _check_openers(clause)
    _check_universal(clause)
    if clause.top is not None:
        _check_top(clause, clause.top)


def _check_leftovers(clause: _Clause) -> None:
    taken = {"con", "conds", "nconds", "period", "hours", "weekdays", "it"} | _SHAPES | FILLERS
    taken |= {"except", "not"} if clause.excluded else set()
    has_change = any(names & {"create", "enable", "link", "change", "breach"} for names in clause.groups)
    marks = [token.mark for token in clause.tokens if token.kind == "con"]
    refused = (
        clause.has("recent") and clause.has("count", "group", "wgroup", "most", "compare", "top"),
        clause.has("adj") and not has_change,
        any(index > min(clause.places("con"), default=0) for index in clause.places("but")),
        # `パスワード変更` alone can be a command.
        marks[-1:] == ["="] and {token.kind for token in clause.tokens} <= {"con", "the", "fill", "prep", "all"},
        clause.has("it") and clause.groups,
        clause.has("ne") and not clause.has("nconds"),
        clause.has("most") and clause.group is None and not clause.has("where") and not _asks_hour(clause),
        any(token.kind not in taken | {"and", "or", "comma", "but"} for token in clause.tokens),
        any(not _joins(clause, index) for index in clause.places("and", "or", "comma")),
    )
    if any(refused):
        raise PlanInvalid


def _joins(clause: _Clause, index: int) -> bool:
    """Return whether the conjunction joins concepts or question words, or begins the clause. A comma may stand alone."""
    kind = clause.tokens[index].kind
    if kind == "or":
        return "or" in clause.joined_by
    following = clause.tokens[index + 1].kind if index + 1 < len(clause.tokens) else "end"
    joins_words = clause.before(index).kind in OPENERS and following in OPENERS
    return kind == "comma" or bool(clause.joined_by) or joins_words or index == 0


def _check_people(clause: _Clause) -> None:
    """Refuse `who logged in` without a word that makes it the asker's own account."""
    is_own = clause.has("mine") or any(token.kind == "the" and token.value == "my" for token in clause.tokens)
    is_agent = any(clause.before(index).kind == "from" for index in clause.places("me"))
    if is_agent or (clause.has("who") and not is_own):
        raise PlanInvalid


def _check_commands(clause: _Clause) -> None:
    """Refuse a form that can be a command, unless an auxiliary or the place in a noun phrase excludes the command."""
    for index, token in enumerate(clause.tokens):
        if token.kind != "con" or token.mark not in ("!", "="):
            continue
        earlier = clause.tokens[:index]
        before = clause.before(index)
        following = clause.tokens[index + 1] if index + 1 < len(clause.tokens) else Token("end")
        is_tensed = any(each.kind == "aux" and each.value in ("did", "do") for each in earlier)
        is_tensed = is_tensed or following.kind in ("tense", "ask") or following == Token("aux", "be")
        is_verb = token.mark == "=" and any(
            each.kind in ("aux", "when", "where", "wgroup", "count", "who") for each in earlier
        )
        if before.kind in ("and", "or") and clause.before(index - 1).mark == "=":
            before = clause.before(index - 1)
        is_noun = token.mark == "=" and before.kind in _NOUN_CONTEXT and before.mark != "!"
        if not (is_tensed or is_verb or is_noun):
            raise PlanInvalid


def _check_openers(clause: _Clause) -> None:
    """Refuse a question word inside the clause, and a question for the meaning of a word."""
    words = clause.places("when", "where", "what", "which", "wgroup", "who", "count")
    first_record = min(clause.places("con"), default=len(clause.tokens))
    if any(clause.tokens[index].mark == "!" and index > first_record for index in words):
        raise PlanInvalid
    for first, second in pairwise(words):
        between = {token.kind for token in clause.tokens[first + 1 : second]}
        if not between & {"and", "comma"} or between - {"and", "comma", "prep", "from", "fill"}:
            raise PlanInvalid
    is_definite = (
        clause.has("the", "top")
        or clause.columns
        or clause.group
        or (clause.has("period", "mine") and not clause.has("a"))
    )
    asks_meaning = clause.has("what") or (Token("which", "que") in clause.tokens and clause.has("a"))
    if asks_meaning and (clause.has_aux("be") or clause.tokens[words[0]].mark == "~") and not is_definite:
        raise PlanInvalid


def _check_universal(clause: _Clause) -> None:
    """Refuse a question whether something holds for every record. A list or a number does not answer it."""
    records = [index for index in clause.places("con") if clause.tokens[index].value not in SESSION_MODIFIERS]
    first = min(records, default=len(clause.tokens))
    is_claim = clause.is_yes_or_no or (clause.has("come", "aux") and not clause.has(*OPENERS))
    if clause.has("all") and (is_claim or any(index > first for index in clause.places("all"))):
        raise PlanInvalid
    if is_claim:
        # `did I log in from Berlin and Paris` asks for both.
        if clause.has("only") or any(token.kind == "conds" and token.mark == "and" for token in clause.tokens):
            raise PlanInvalid
        for index in clause.places("con"):
            before = clause.before(index, "con", "conds", "nconds", "fill", "adj")
            if clause.tokens[index].mark == "+" and before.kind == "the":
                raise PlanInvalid


def _check_top(clause: _Clause, top: Top) -> None:
    """Refuse `did my last login fail` and `failed among the last 5`. A plan filters first and then takes the last."""
    index = clause.places("top")[0]
    if clause.is_yes_or_no or clause.has("most", "compare"):
        raise PlanInvalid
    before = clause.tokens[index - 1].kind if index else "start"
    is_last = not any(token.kind == "con" for token in clause.tokens[index:])
    if is_last and not top.is_adverb and clause.before(index, "fill").kind not in ("con", "the", "aux", "me"):
        raise PlanInvalid
    if top.is_adverb or before not in _ADJECTIVE_CONTEXT:
        return
    outer = index
    while outer and clause.tokens[outer - 1].kind in ("the", "all", "fill"):
        outer -= 1
    is_among = outer > 1 and clause.tokens[outer - 1].kind in ("prep", "from")
    if is_among and clause.before(outer - 1, "the").kind != "cols":
        raise PlanInvalid
    _check_predicate(clause, index)


def _check_predicate(clause: _Clause, index: int) -> None:
    """Refuse a verb or a condition that is a predicate of `my last login` and does not belong to the noun phrase."""

    def adds(token: Token) -> bool:
        return token.kind == "con" and bool(set(token.value.split()) - _NEUTRAL_ACTS)

    has_did = clause.has_aux("did", "do")
    if any(adds(token) for token in clause.tokens[:index]) and any(
        token.kind == "con" for token in clause.tokens[index:]
    ):
        raise PlanInvalid
    has_noun = has_auxiliary = False
    for token in clause.tokens[index:]:
        has_auxiliary = has_auxiliary or token.kind in ("aux", "rel", "come")
        is_verb = token.mark == "~" or (token.mark in ("!", "=") and (has_auxiliary or has_did))
        is_condition = token.kind in ("conds", "nconds", "period", "hours", "weekdays")
        if (is_condition and has_auxiliary) or (adds(token) and is_verb and has_noun):
            raise PlanInvalid
        has_noun = has_noun or (token.kind == "con" and not is_verb)


def _is_bare_state(clause: _Clause, names: frozenset[str]) -> bool:
    """Return whether the clause is `account locked?` and nothing else."""
    kinds = {token.kind for token in clause.tokens}
    has_state = any(token.kind == "con" and token.mark == "~" for token in clause.tokens)
    return (
        kinds <= {"con", "the", "fill", "prep"}
        and len(clause.groups) == 1
        and ((names in FACTS and has_state) or (names in ({"twofactor"}, {"totp"})))
    )


def _asks_present_number(clause: _Clause) -> bool:
    """Return whether the clause is `how many passkeys do I have` and nothing else."""
    kinds = {token.kind for token in clause.tokens}
    return (
        clause.has("count")
        and kinds <= {"count", "con", "own", "aux", "the", "me", "fill"}
        and (clause.has("own") or clause.has_aux("ownhave"))
        and not clause.has_aux("past", "was", "did", "have", "be")
    )


def _fact(clause: _Clause) -> Fact | None:
    """Return the fact that a question in the present tense asks for; None for a question about records."""
    names = frozenset(clause.groups[0]) if clause.groups else frozenset()
    names = names - {"live"} | {"enable"} if "live" in names else names
    if names in _COUNTED_FACTS and _asks_present_number(clause):
        return Fact(FACTS[names])
    is_be = clause.has_aux("be") and not clause.has_aux("past", "was") and "fail" not in names
    is_be = is_be or (clause.has_aux("have") and "verify" in names) or _is_bare_state(clause, names)
    is_present = (
        is_be or clause.has("own", "exist") or (clause.has_aux("ownhave") and names <= OBJECTS and names in FACTS)
    )
    if not is_present or clause.has("ever") or not names or any("session" in names for names in clause.groups):
        return None
    fact = FACTS.get(names) or FACTS.get(names - {"account"}) or FACTS.get(names - {"use"})
    is_question = clause.is_yes_or_no or _is_bare_state(clause, names)
    if clause.is_yes_or_no and (fact is None or clause.has("exist")) and not (fact and not names - OBJECTS):
        if clause.has("exist") or (clause.has("own") and types_of(names) is not None):
            return None
        raise PlanInvalid
    has_more = clause.excluded or clause.has(
        "conds", "nconds", "period", "hours", "weekdays", "top", "group", "wgroup", "cols"
    )
    if is_question and (has_more or len(clause.groups) > 1):
        raise PlanInvalid
    if is_question and fact is None:
        raise PlanInvalid
    return Fact(fact) if is_question and fact else None


def _filters(clause: _Clause) -> Filters:
    chosen: dict[str, Any] = {}
    for token in clause.tokens:
        if token.kind in ("conds", "nconds"):
            condition: Condition = token.value
            if condition.slot in chosen:
                raise PlanInvalid
            values = tuple(Form(value) for value in condition.values) if condition.slot == "forms" else condition.values
            chosen[condition.slot] = Choice(values, is_not=condition.is_not)
        elif token.kind in ("hours", "weekdays"):
            if token.kind in chosen or not token.value:
                raise PlanInvalid
            chosen[token.kind] = token.value
    return Filters(period=clause.period, **chosen)


def _session_filters(clause: _Clause, filters: Filters, names: set[str]) -> Filters:
    """Return the filters for sessions. The past tense asks for ended sessions too, and only their start has a time."""
    states = [state for word, state in _STATES.items() if word in names]
    which = [which for word, which in _WHICH.items() if word in names]
    has_start = bool(names & {"start", "create"})
    is_past = (
        clause.has_aux("did", "past", "have", "was") or clause.has("exist") or (clause.has_aux("ownhave") and has_start)
    )
    is_timed = any((filters.period, filters.hours, filters.weekdays)) or (clause.group and clause.group.by in _TIMES)
    # `ended sessions of last week` may mean the time of the start or of the end.
    if (
        # `did I end a session` is an act of the user, and no state of a session.
        ("end" in names and clause.has_aux("did", "ownhave"))
        or (bool(which) and clause.group is not None and clause.group.by is By.DEVICE)
        or (is_timed and ("over" in names or ("end" in names and clause.has("when"))))
        or len(states) > 1
        or len(which) > 1
        or (is_past and not has_start and not states)
    ):
        raise PlanInvalid
    state = states[0] if states else State.ANY if is_past else State.LIVE
    by_end = "end" in names and not has_start
    return replace(filters, state=state, which=which[0] if which else None, by_end=by_end)


def _plan(clause: _Clause, entity: Entity, filters: Filters) -> Plan:
    shape = _shape(clause, entity)
    if (filters.types is not None or getattr(shape, "by", None) is By.TYPE) and entity is Entity.SESSIONS:
        raise PlanInvalid
    return Plan(entity=entity, shape=shape, filters=filters)


def _shape(clause: _Clause, entity: Entity) -> Shape:
    top, group = clause.top, clause.group
    is_count = clause.has("count")
    # `which device did I last log in from` asks for a record, whose row has the device.
    is_row = group is not None and top is not None and clause.has("wgroup") and group.by not in _TIMES
    if group is not None and not (is_row and group.sort is Sort.VALUE and not group.is_plural):
        return _groups(clause, group)
    if (clause.other or is_count or clause.has("most")) and (top or clause.columns or group):
        raise PlanInvalid
    if clause.other is not None:
        return Compare(other=clause.other)
    if clause.has("most"):
        return GroupBy(by=By.HOUR if _asks_hour(clause) else By.PLACE, sort=Sort.MOST, limit=1)
    if is_count:
        return Count()
    return Exists() if clause.is_yes_or_no else _rows(clause, entity, top)


def _groups(clause: _Clause, group: Group) -> GroupBy:
    if clause.top or clause.columns or clause.is_yes_or_no or clause.other:
        raise PlanInvalid
    most = next((Sort(token.value) for token in clause.tokens if token.kind == "most"), None)
    if most is None:
        return GroupBy(by=group.by, sort=group.sort, limit=group.limit)
    return GroupBy(by=group.by, sort=most, limit=group.limit or (None if group.is_plural else 1))


def _rows(clause: _Clause, entity: Entity, top: Top | None) -> Rows:
    columns = clause.columns or DEFAULT_COLUMNS[entity]
    if not clause.columns and any("end" in names for names in clause.groups) and entity is Entity.SESSIONS:
        columns = (*columns[:1], Column.ENDED_AT, *columns[1:])
    if clause.columns and min(clause.places("con"), default=0) < clause.places("cols")[0]:
        columns = tuple(column for column in Column if column in {*clause.columns, *DEFAULT_COLUMNS[entity]})
    if top is None:
        return Rows(columns=columns)
    is_plural = any(token.kind == "con" and token.mark == "+" for token in clause.tokens) or clause.has("many")
    place = clause.places("top")[0]
    is_predicate = (
        clause.before(place, "the", "fill").kind in ("aux", "con") and min(clause.places("con"), default=place) < place
    )
    limit = top.limit or (None if is_plural and not top.is_adverb and not is_predicate else 1)
    return Rows(columns=columns, order=Order(top.order), limit=limit)
