"""The filters of a clause, and the shape of its answer."""

from typing import Any

from ..plans.entities import DEFAULT_COLUMNS, Column, Entity
from ..plans.periods import HOURS_OF, Relation
from ..plans.periods import Part as PartOfDay
from ..plans.plan import (
    HOURS,
    By,
    Choice,
    Compare,
    Count,
    Exists,
    Filters,
    Form,
    GroupBy,
    Order,
    PlanInvalid,
    Rows,
    Shape,
    Sort,
)
from .clauses import GENERAL, Clause
from .lexicon import Token
from .phrases import BY_COLUMN

_SYSTEMS = {
    Form.IPHONE: {"iOS"},
    Form.IPAD: {"iOS"},
    Form.ANDROID_PHONE: {"Android"},
    Form.ANDROID_TABLET: {"Android"},
    Form.DESKTOP: {"Windows", "macOS", "Linux", "Ubuntu", "ChromeOS"},
}
TIMES = frozenset({By.HOUR, By.WEEKDAY, By.DAY, By.WEEK, By.MONTH})


def filters_of(clause: Clause) -> Filters:
    """Return the conditions of the clause. Raises PlanInvalid when two differ, or no record can meet them."""
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
    first, last = filters.hours or (0, HOURS)
    part = getattr(filters.period, "when", None)
    begin, end = HOURS_OF[part.part] if isinstance(part, PartOfDay) else (0, HOURS)
    if (
        (filters.hours and not begin <= first < last <= end and isinstance(part, PartOfDay))
        or (first > last and filters.weekdays)
        or not _can_hold(filters)
    ):
        raise PlanInvalid
    return filters


def _can_hold(filters: Filters) -> bool:
    """Return whether one device can have the forms and the systems."""
    forms, systems = filters.forms, filters.systems
    if not forms or not systems or forms.is_not or systems.is_not:
        return True
    return any(form not in _SYSTEMS or _SYSTEMS[form] & {*systems.values} for form in forms.values)


def listed(clause: Clause, shape: Shape) -> Shape:
    """Return the list that `on which devices am I signed in` asks for. Two sessions can have devices of one name."""
    if not (isinstance(shape, GroupBy) and shape.by is By.DEVICE and shape.sort is Sort.VALUE and clause.has("wgroup")):
        return shape
    if shape.limit is not None or clause.has("wgroup:plain any* (aux.be|own)"):
        raise PlanInvalid
    return _rows(clause, Entity.SESSIONS, None, ())


def shape_of(clause: Clause, entity: Entity) -> Shape:
    """Return the form of the answer. Raises PlanInvalid when the clause asks for two forms, or for none with certainty."""
    top, group, columns = clause.one("top"), clause.one("group", "wgroup"), clause.one("cols")
    most = Sort(clause.all("most")[0].value) if clause.one("most") else None
    if most and group is None and clause.has("where|when.hour|when.day"):
        by = By.HOUR if clause.has("when.hour") else By.DAY if clause.has("when.day") else By.PLACE
        group = Token("wgroup", (by, Sort.VALUE, 1))
    if most and group is None and clause.has("which|what") and all(names <= GENERAL for names in clause.groups):
        group = Token("wgroup", (By.TYPE, Sort.VALUE, 1))
    if top and group and not (group.kind == "wgroup" and group.value[0] not in TIMES and not group.mark):
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
        if sort is Sort.LEAST and by in TIMES:
            raise PlanInvalid  # An hour without any record has the least.
        return GroupBy(by=by, sort=sort, limit=limit or (1 if most and not group.mark else None))
    if most or ((clause.other or clause.has("count")) and (top or columns)):
        raise PlanInvalid
    if clause.other is not None:
        return Compare(other=clause.other)
    if clause.has("count"):
        return Count()
    return Exists() if clause.is_yes_or_no else _rows(clause, entity, top, columns.value if columns else ())


def _rows(clause: Clause, entity: Entity, top: Token | None, named: tuple[Column, ...]) -> Rows:
    columns = named or DEFAULT_COLUMNS[entity]
    if not named and entity is Entity.SESSIONS and any("end" in names for names in clause.groups):
        columns = (*columns[:1], Column.ENDED_AT, *columns[1:])
    if clause.has("con any* cols"):
        columns = tuple(column for column in Column if column in {*named, *DEFAULT_COLUMNS[entity]})
    # `where did I log in` and `browsers of my logins` may ask for places and browsers, or for logins.
    is_one = any("this_one" in names for names in clause.groups)
    properties = {*BY_COLUMN} - ({Column.DEVICE} if entity is Entity.SESSIONS else set())
    is_open = (
        bool(properties & {*named}) and not is_one and not clause.has("nconds cols|cols nconds|con.other cols|when")
    ) or (entity is Entity.AUDIT_EVENTS and clause.has("where|(which|que)(prep|from|the|fill)*cols"))
    if top is None and not is_open:
        return Rows(columns=columns)
    if top is None:
        raise PlanInvalid
    order, limit = top.value
    is_plural = (
        clause.has("con:many|many")
        and not top.mark
        and not clause.has("con any* (aux|con|rel)(the|fill)*top | the.gen fill* top")
    )
    # `the last of my logins` and `die letzte meiner Anmeldungen` are one.
    is_unsure = is_open or clause.has("top fill* (from|among|the)(the|a|all|fill|adj)* con")
    if is_plural and is_unsure and limit is None:
        raise PlanInvalid
    return Rows(columns=columns, order=Order(order), limit=limit or (None if is_plural else 1))
