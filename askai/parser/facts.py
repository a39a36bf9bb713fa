"""The facts about the account that a clause asks for."""

from ..plans.plan import Fact, PlanInvalid
from .clauses import PAIR, Clause
from .events import FACTS, OBJECTS, types_of


def find_fact(clause: Clause) -> Fact | None:
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
    if "create" in names and fact is not None and clause.has("^(con|the|fill|prep)*$") and clause.has("con:verb"):
        raise PlanInvalid  # `Passkey hinzugefügt` may be a state or an event.
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


def _is_registered(clause: Clause, fact: str | None, names: frozenset[str]) -> bool:
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
