"""The grammar of conditions, orders and groups: tokens become the chunks `conds`, `top`, `group`, `wgroup` and `cols`."""

from dataclasses import dataclass

from ..plans.entities import Column
from ..plans.plan import By, Order, PlanInvalid, Sort
from .chunks import Make, Rule, Tokens, rule
from .lexicon import Token

_UNITS = {"hours": By.HOUR, "days": By.DAY, "weeks": By.WEEK, "months": By.MONTH}
_BY_NAME = {**_UNITS, **{str(by): by for by in By}}
_SLOT_OF = {By.IP: "ips", By.BROWSER: "browsers", By.OS: "systems", By.FORM: "forms", By.DEVICE: "", By.PLACE: "places"}
_COLUMNS = {
    "time": Column.CREATED_AT,
    "type": Column.TYPE,
    "ip": Column.IP,
    "place": Column.LOCATION,
    "device": Column.DEVICE,
    "browser": Column.BROWSER,
    "os": Column.OS,
    "form": Column.FORM,
    "id": Column.ID,
    "user_agent": Column.USER_AGENT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """The values of one slot of the filters."""

    slot: str
    values: tuple[str, ...]
    is_not: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Top:
    """The first records in an order. `is_adverb` is true for `did I last`, and false for `my last`."""

    order: Order
    limit: int | None
    is_adverb: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A property by which to group, or with `limit`, the first of its values."""

    by: By
    sort: Sort = Sort.VALUE
    limit: int | None = None
    is_plural: bool = False


def _conds(tokens: Tokens) -> list[Token] | None:
    """Return one condition for values of one slot; None when the slots differ."""
    found = [token.value for token in tokens if token.kind == "cond"]
    slots = {slot for slot, _ in found}
    if len(slots) > 1:
        return None
    condition = Condition(slot=slots.pop(), values=tuple(dict.fromkeys(value for _, value in found)))
    return [Token("conds", condition, "and" if any(token.kind == "and" for token in tokens) else "")]


def _not(tokens: Tokens) -> list[Token]:
    conditions: list[Condition] = [token.value for token in tokens if token.kind in ("conds", "nconds")]
    slots = {condition.slot for condition in conditions}
    if len(slots) > 1:
        raise PlanInvalid
    values = tuple(dict.fromkeys(value for condition in conditions for value in condition.values))
    return [Token("nconds", Condition(slot=slots.pop(), values=values, is_not=True), tokens[-1].kind)]


def _not_days(tokens: Tokens) -> list[Token]:
    days = next(token.value for token in tokens if token.kind == "weekdays")
    return [Token("weekdays", frozenset(range(7)) - days)]


def _not_hours(tokens: Tokens) -> list[Token]:
    begin, end = next(token.value for token in tokens if token.kind == "hours")
    if begin == 0 and end == 24:  # noqa: PLR2004 - hours
        raise PlanInvalid
    return [Token("hours", (end % 24, begin or 24))]


def _check_scope(tokens: Tokens) -> None:
    """Refuse `not from Chrome on Windows`, which may exclude all of Windows or not. `Chrome以外` has a clear end."""
    if tokens[0].mark != "except_post":
        raise PlanInvalid


def _named_cond(tokens: Tokens) -> list[Token] | None:
    """Return the condition without a word for its slot, such as `the browser Chrome`."""
    name = next(token.value for token in tokens if token.kind == "prop")
    cond = next(token for token in tokens if token.kind == "cond")
    return [cond] if name in _BY_NAME and _SLOT_OF.get(_BY_NAME[name], "-") in (cond.value[0], "") else None


def _top(tokens: Tokens) -> list[Token]:
    last = next(token for token in tokens if token.kind == "last")
    limit = next((token.value for token in tokens if token.kind == "num"), None)
    if limit == 0:
        raise PlanInvalid
    return [Token("top", Top(order=Order(last.value), limit=limit, is_adverb=last.mark == "~"), last.mark)]


def _group(kind: str) -> Make:
    def make(tokens: Tokens) -> list[Token] | None:
        named = next(token for token in reversed(tokens) if token.kind in ("prop", "unit", "group", "h_unit", "wprop"))
        if named.value not in _BY_NAME:
            return None
        limit = next((token.value for token in tokens if token.kind == "num"), None)
        chosen = next((Sort(token.value) for token in tokens if token.kind == "most"), Sort.VALUE)
        is_plural = named.mark == "+"
        if chosen is not Sort.VALUE and limit is None and not is_plural:
            limit = 1
        return [Token(kind, Group(by=_BY_NAME[named.value], sort=chosen, limit=limit, is_plural=is_plural))]

    return make


def _cols(tokens: Tokens) -> list[Token] | None:
    names = [token.value for token in tokens if token.kind == "prop"]
    if not set(names) <= set(_COLUMNS):
        return None
    columns = {_COLUMNS[name] for name in names}
    return [Token("cols", tuple(column for column in Column if column in columns))]


_GAP = "(prep|from|since|the|a|fill)*"
_LIST = "(and|or|comma|ask)+"
_NOT_GAP = "(prep|from|the|a|fill|aux|come|me|use|since)*"

RULES: tuple[Rule, ...] = (
    rule("^(prep|from|since|fill)* que", lambda tokens: [*tokens[:-1], Token("which", "que")]),
    rule("since (the|a|fill)* (?=cond|which|que|count|prop)", lambda tokens: tokens[1:]),
    rule("each (fill|recent)* (?=con|cond)", lambda tokens: [Token("all"), *tokens[1:]]),
    rule("prop cond | cond prop", _named_cond),
    rule(f"cond ({_LIST} {_GAP} cond)+", _conds),
    rule("cond", _conds),
    rule(f"(not|except) {_NOT_GAP} conds", _not),
    rule("conds except_post", _not),
    rule(f"nconds {_LIST} {_GAP} nconds", _not),
    rule(f"(not|except) {_GAP} weekdays | weekdays except_post", _not_days),
    rule(f"(not|except) {_GAP} hours | hours except_post", _not_hours),
    rule(f"nconds {_GAP} (conds|nconds)", _check_scope),
    rule(f"(conds|nconds) (and|comma|but) {_GAP} (?=conds|nconds)", lambda tokens: tokens[:1]),
    rule("num last num_unit? | last fill? num num_unit? | last", _top),
    rule("(per|each|after) (the|a|fill|me)* (prop|unit|h_unit)", _group("group")),
    rule("(prop|unit|h_unit) per_post", _group("group")),
    rule("group", _group("group")),
    rule("num? most num? num_unit? (fill|prep|from|use)* (prop|unit|h_unit) | num (prop|unit) most", _group("group")),
    rule("wprop", _group("wgroup")),
    rule("(which|what|que) num? (prep|from|the|fill)* (prop|unit|h_unit)", _group("wgroup")),
    rule("count (prep|from|the|fill|a)* prop", _group("wgroup")),
    rule("prop ((and|comma) (the|prep|from)* prop)*", _cols),
)
