"""The rules of conditions, orders and groups: tokens become the chunks `conds`, `top`, `group`, `wgroup` and `cols`.

The value of `conds`, and of `nconds` for excluded values, is a slot of the filters with its values. That of `top` is an
order and a limit, and that of a group a property, an order and a limit.
"""

from ..plans.entities import Column
from ..plans.plan import By, Order, PlanInvalid, Sort
from .chunks import Make, Rule, Tokens
from .lexicon import Token

_UNITS = {"hours": By.HOUR, "days": By.DAY, "weeks": By.WEEK, "months": By.MONTH}
BY_NAME = {**_UNITS, **{str(by): by for by in By}}
_SLOTS = {By.IP: "ips", By.BROWSER: "browsers", By.OS: "systems", By.FORM: "forms", By.PLACE: "places"}
_DEVICE_SLOTS = {"browsers", "systems", "forms"}
BY_SLOT = {slot: by for by, slot in _SLOTS.items()}
BY_COLUMN = {
    Column.DEVICE: By.DEVICE,
    Column.BROWSER: By.BROWSER,
    Column.OS: By.OS,
    Column.IP: By.IP,
    Column.LOCATION: By.PLACE,
}
_COLUMNS = {
    **{str(column): column for column in Column},
    "time": Column.CREATED_AT,
    "place": Column.LOCATION,
    "country": Column.LOCATION,
}


def _first(tokens: Tokens, *kinds: str) -> Token | None:
    return next((token for token in tokens if token.kind in kinds), None)


def _conds(tokens: Tokens) -> list[Token] | None:
    """Return one condition for values of one slot; None when the slots differ."""
    found = [token.value for token in tokens if token.kind == "cond"]
    values = tuple(sorted({value for _, value in found}))
    mark = "and" if _first(tokens, "and") else ""
    return [Token("conds", (found[0][0], values), mark)] if len(dict(found)) == 1 else None


def _not(tokens: Tokens) -> list[Token]:
    found = [token.value for token in tokens if token.kind in ("conds", "nconds")]
    if len(dict(found)) > 1:
        raise PlanInvalid
    values = tuple(sorted({value for _, listed in found for value in listed}))
    return [Token("nconds", (found[0][0], values), tokens[-1].kind)]


def _not_days(tokens: Tokens) -> list[Token]:
    return [Token("weekdays", frozenset(range(7)) - token.value) for token in tokens if token.kind == "weekdays"]


def _not_hours(tokens: Tokens) -> list[Token]:
    begin, end = next(token.value for token in tokens if token.kind == "hours")
    return [Token("hours", (end % 24, begin or 24))]


def _check_scope(tokens: Tokens) -> None:
    """Refuse `not from Chrome on Windows`, which may exclude all of Windows or not. `Chrome以外` has a clear end."""
    if tokens[0].mark != "except_post":
        raise PlanInvalid


def _both(tokens: Tokens) -> list[Token]:
    """Return the conditions of `from Berlin and with Chrome`. `from Android and iPhone` means either."""
    is_pair = {tokens[0].value[0], tokens[-1].value[0]} <= _DEVICE_SLOTS or tokens[-2].kind == "and"
    if is_pair and tokens[1].kind == "and":
        raise PlanInvalid
    return [tokens[0], tokens[-1]]


def _named_cond(tokens: Tokens) -> list[Token] | None:
    """Return the condition without a word for its slot, such as `the browser Chrome`."""
    (name,) = (token.value for token in tokens if token.kind == "prop")
    (cond,) = (token for token in tokens if token.kind == "cond")
    by = BY_NAME.get(name)
    slots = ("browsers", "systems", "forms") if by is By.DEVICE else (_SLOTS.get(by),) if by else ()
    return [cond] if cond.value[0] in slots else None


def _top(tokens: Tokens) -> list[Token]:
    last, number = next(token for token in tokens if token.kind == "last"), _first(tokens, "num")
    return [Token("top", (Order(last.value), number.value if number else None), last.mark)]


def _limited(tokens: Tokens) -> list[Token] | None:
    """Return the order of `直近のログインを3件` with its number."""
    order, limit = tokens[0].value
    return [Token("top", (order, tokens[-1].value), tokens[0].mark), *tokens[1:-1]] if limit is None else None


def _group(kind: str) -> Make:
    def make(tokens: Tokens) -> list[Token] | None:
        named = next(token for token in reversed(tokens) if token.kind in ("prop", "unit", "group", "h_unit", "wprop"))
        if named.value not in BY_NAME:
            return None
        most, number = _first(tokens, "most"), _first(tokens, "num")
        limit = number.value if number else 1 if most and named.mark != "+" else None
        value = (BY_NAME[named.value], Sort(most.value) if most else Sort.VALUE, limit)
        return [Token(kind, value, "counted" if tokens[0].kind == "count" else named.mark)]

    return make


def _apiece(tokens: Tokens) -> list[Token]:
    """Return the conditions of `from Chrome and Firefox each`, and the group that they ask for."""
    slot = next(token.value[0] for token in tokens if token.kind == "conds")
    return [
        *(token for token in tokens if token.kind != "apiece"),
        Token("group", (BY_SLOT[slot], Sort.VALUE, None), "+"),
    ]


def _cols(tokens: Tokens) -> list[Token] | None:
    names = {token.value for token in tokens if token.kind == "prop"}
    columns = {_COLUMNS[name] for name in names if name in _COLUMNS}
    return (
        [Token("cols", tuple(column for column in Column if column in columns))] if len(columns) == len(names) else None
    )


_PARTICLES = {"an": "login", "ein": "login", "ab": "logout", "aus": "logout"}


def _separable(tokens: Tokens) -> list[Token]:
    """Return the act of a German verb whose particle stands at the end: `melde ich mich an`."""
    return [Token("con", _PARTICLES[tokens[-1].value], "~"), *tokens[1:-1]]


def _counted_column(tokens: Tokens) -> list[Token] | None:
    """Return the group of `the browser that I use most`."""
    return (
        [
            Token("group", (BY_COLUMN[each.value[0]], Sort.VALUE, None)) if each.kind == "cols" else each
            for each in tokens
        ]
        if all(each.kind != "cols" or each.value in {(column,) for column in BY_COLUMN} for each in tokens)
        else None
    )


_NOT = "(not|except) (prep|from|the|a|fill|aux|come|me|use|since)*"

RULES: tuple[Rule, ...] = (
    Rule("split ((?!end|split)any)* (prep.an|a.ein|from.ab|prep.aus) (?=fill*(?:$|end|comma|and))", _separable),
    Rule("comma ((?!TOTAL)fill)+ (?=comma|end)", lambda _: []),
    Rule("count fill* count", lambda tokens: tokens[:1]),
    Rule(
        "con ((con|and|or|comma|the)* con)? except_post", lambda tokens: [Token("except"), *tokens[:-1], Token("stop")]
    ),
    Rule("^(prep|from|since|fill)* que", lambda tokens: [*tokens[:-1], Token("which", "que")]),
    Rule("since (the|a|fill)* (?=cond|which|que|count|prop)", lambda tokens: tokens[1:]),
    Rule("(per|each|after) (the|a|fill|me)* PROPERTY | PROPERTY per_post | group", _group("group")),
    Rule("each (?=fill*(?:$|end))", lambda _: [Token("apiece")]),
    Rule("each (fill|recent)* (?=con|cond)", lambda tokens: [Token("all"), *tokens[1:]]),
    Rule("prop cond | cond prop", _named_cond),
    Rule("cond (LIST LINK cond)+", _conds),
    Rule("cond", _conds),
    Rule(f"{_NOT} conds | conds except_post", _not),
    Rule("nconds LIST LINK nconds", _not),
    Rule("but (?=nconds)", lambda _: []),
    Rule("most ((?!end|period|than)any)* more", lambda tokens: tokens[:-1]),
    Rule("con fill* count.often and (?=con fill*count.often)", lambda tokens: [*tokens[:-2], tokens[-1]]),
    Rule("(not|except) LINK weekdays | weekdays except_post", _not_days),
    Rule("(not|except) LINK hours | hours except_post", _not_hours),
    Rule("nconds LINK (conds|nconds)", _check_scope),
    Rule("(conds|nconds) (and|comma|but) LINK (conds|nconds)", _both),
    Rule("num last num_unit? | last fill? num num_unit? | last", _top),
    Rule("top ((?!num|end|top)any)* num:unit", _limited),
    Rule(
        "num? most num? num_unit? (fill|prep|from|use)* PROPERTY | num (prop|unit) (prep the?)? most",
        _group("group"),
    ),
    Rule("wprop | (which|what|que) num? (prep|from|the|fill)* PROPERTY", _group("wgroup")),
    Rule("count (prep|from|the|fill|a)* prop", _group("wgroup")),
    Rule("prop ((and|comma) (the|prep|from)* prop)*", _cols),
    Rule("conds:and ((?!end|conds)any)* apiece | apiece ((?!end|conds)any)* conds:and", _apiece),
    Rule("group per (?=con)", lambda tokens: tokens[:1]),
    Rule("most ((?!end)any)* cols | cols ((?!end)any)* most", _counted_column),
)
"""The rules that make the chunks of conditions."""
