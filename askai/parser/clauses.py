"""The clauses of a question, and the concepts of each clause. A word that hangs on nothing is refused."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..plans.periods import Period
from ..plans.plan import PlanInvalid, State, Which
from .chunks import Tokens, matches
from .events import OBJECTS, types_of
from .lexicon import Token
from .refused import REFUSED

WHICH = {"this_one": Which.THIS, "other": Which.OTHERS}
STATES = {"any": State.ANY, "live": State.LIVE, "over": State.ENDED, "end": State.ENDED}
MODIFIERS = frozenset({*WHICH, *STATES}) - {"end"}
GENERAL = frozenset({"event", "happen", "account", "use"})
_NOUN_PHRASE = frozenset({"con", "and", "or", "comma", "prep", "from", "the", "a", "fill", "adj"})
PAIR = 2
STATED = "OPENER|aux|own|exist|does|ask|have|me|tense|con:order|con:yesno"
EXCEPTION = "^fill* (except|not) (prep|from|the|a|fill|con)*"
_TAKEN_KINDS = """
    con conds nconds period hours weekdays it top group wgroup cols most compare and or comma
    fill prep from to the a me aux come rel exist ask own mine anyone who all only show when where which what count
    use that tense since_post que ne recent adj ever but apiece have does among stop
"""
_TAKEN = frozenset(_TAKEN_KINDS.split())
"""The kinds that have a slot, or are fillers. REFUSED has the places where a filler would change the meaning."""


@dataclass(slots=True)
class Clause:
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


def split(tokens: Tokens) -> list[Clause]:
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
        # `La sesión de Linux, ¿cuándo terminó?` names its topic first.
        continues = continues or (token.kind == "comma" and matches(f"^((?!{STATED})any)*$", clause))
        is_joint = token.kind in ("and", "comma") and (
            (not continues and matches("^(prep|from|fill)* (?!show)(OPENER|aux|own|exist)", rest))
            or (token.kind == "comma" and not continues and matches("(when|where|count) fill*$", clause))
            # `an API key was refused, and an API key was revoked` has two subjects.
            or (
                token.kind == "and"
                and matches("aux|own", clause)
                and matches("^(the|a|con|adj|fill)* con (aux|own)", rest)
            )
        )
        if token.kind == "end" or (
            is_joint and matches("con|conds|nconds", clause) and not matches(f"{EXCEPTION}$", clause)
        ):
            clauses.append([])
        else:
            clause.append(token)
    # A greeting is a sentence of its own.
    return [Clause(tokens=each) for each in clauses if any(token.kind not in ("fill", "comma") for token in each)]


def check(clause: Clause) -> None:
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
        or (any("happen" in names and names - GENERAL for names in clause.groups) and clause.has("what"))
        or (
            any("event" in names and names - GENERAL for names in clause.groups)
            and clause.has("(?<!con)con.event(?!con)")
        )
        or (clause.has("or") and "or" not in clause.joins)
        # `and` joins concepts or question words, or begins the clause.
        or (not clause.joins and clause.has("(?<!^)(?<!OPENER)and|(?<!^)and(?!OPENER)"))
    ):
        raise PlanInvalid


def take_comparison(clause: Clause) -> None:
    """Take the second period of `more logins this week than last week` out of the clause."""
    periods = clause.all("period")
    compares = (
        clause.has(
            "compare|^(?=any*(more|most))any*(than|that|que|period or LINK period) | period and period(fill|comma)*which any* more"
        )
        and len(periods) == PAIR
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


def take_concepts(clause: Clause, things: set[str], acts: set[str]) -> None:
    """Collect the concepts, and read those that a neighbour completes."""
    groups = _collect(clause)
    if clause.has("come:verb") and groups[-1] and groups[-1] <= OBJECTS and types_of(groups[-1]) is None:
        groups[-1].add("create")  # `enregistrées` is said of records and of passkeys.
    clause.groups = _modified(groups)
    if len(clause.groups) == 1 and types_of(clause.groups[0]) is None:
        if things and not clause.groups[0] & OBJECTS:
            clause.groups[0] |= things  # `when was an API key created, and when was it revoked`
            clause.tokens = [token for token in clause.tokens if token.kind != "it"]
        elif clause.groups[0] <= OBJECTS and clause.has("when") and types_of(clause.groups[0] | acts) is not None:
            clause.groups[0] |= acts  # `when was my password changed, and when my address`
    # `am I logged in` asks for sessions. `was I logged in` asks for a state that began at any time before.
    if clause.has("con.login:verb|con.login:either"):
        if clause.has("STOOD(?!LINK top:verb)"):
            raise PlanInvalid
        if clause.has("aux.be") and not clause.has("aux.past|aux.have|aux.did"):
            clause.groups = [{"session", *names} - {"login"} if "login" in names else names for names in clause.groups]


def _modified(groups: Sequence[set[str]]) -> list[set[str]]:
    """Return the groups, the first one with the states of sessions. Raises PlanInvalid for `and how many are open`."""
    modifiers: set[str] = set().union(*(names for names in groups if names <= MODIFIERS))
    rest = [names for names in groups if not names <= MODIFIERS]
    if rest and all(names <= GENERAL for names in rest):
        rest = [set().union(*rest)]
    if modifiers and not rest:
        raise PlanInvalid
    return [rest[0] | modifiers, *rest[1:]] if rest else []


def _collect(clause: Clause) -> list[set[str]]:
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
    return not any(each.value in MODIFIERS for each in around)
