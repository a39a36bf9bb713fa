from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askai.evaluation import load_cases
from askai.plans.entities import COLUMNS, Column, Entity
from askai.plans.periods import (
    NAMES,
    Ago,
    Between,
    Calendar,
    Clock,
    Date,
    DayPart,
    Last,
    Named,
    Part,
    Relation,
    Unit,
)
from askai.plans.plan import (
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
    Language,
    Order,
    Plan,
    PlanInvalid,
    Query,
    Rows,
    Sort,
    State,
    Which,
)
from askai.plans.plan_json import as_json, read_query
from askai.plans.schema import schema
from events.vocabulary import EventType
from tests.rows import each

pytestmark = pytest.mark.once

patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

COUNT = {"entity": "audit_events", "answer": {"kind": "count"}}
ROWS = {"kind": "rows", "columns": ["created_at"]}


def with_filters(**filters: Any) -> dict[str, Any]:
    return {**COUNT, "filters": filters}


def in_query(*parts: Any) -> dict[str, Any]:
    return {"language": "en", "parts": [*parts]}


def read_plan(part: Any) -> Plan:
    (read,) = read_query(in_query(part)).parts
    assert isinstance(read, Plan)
    return read


def test_every_member_of_a_plan_is_read() -> None:
    plan = read_plan(
        {
            "entity": "audit_events",
            "answer": {"kind": "rows", "columns": ["type", "created_at"], "order": "oldest", "limit": 7},
            "filters": {
                "types": {"values": ["logout", "login_failed"], "is_not": True},
                "ips": {"values": ["::ffff:192.0.2.1", "198.51.100.7/24"]},
                "browsers": {"values": ["Firefox", "Chrome"]},
                "systems": {"values": ["Windows"], "is_not": False},
                "forms": {"values": ["iphone"]},
                "places": {"values": ["Berlin"]},
                "period": {"kind": "between", "first": "2026-03-01", "last": "2026-03-15"},
                "hours": {"first": 22, "last": 6},
                "weekdays": ["sunday", "monday"],
            },
        }
    )

    assert plan == Plan(
        entity=Entity.AUDIT_EVENTS,
        shape=Rows(columns=(Column.TYPE, Column.CREATED_AT), order=Order.OLDEST, limit=7),
        filters=Filters(
            types=Choice((EventType.LOGIN_FAILED, EventType.LOGOUT), is_not=True),
            ips=Choice(("192.0.2.1", "198.51.100.0/24")),
            browsers=Choice(("Chrome", "Firefox")),
            systems=Choice(("Windows",)),
            forms=Choice((Form.IPHONE,)),
            places=Choice(("Berlin",)),
            period=Between(first=Date(year=2026, month=3, day=1), last=Date(year=2026, month=3, day=15)),
            hours=(22, 6),
            weekdays=frozenset({0, 6}),
        ),
    )
    session = {"entity": "sessions", "answer": {"kind": "exists"}, "filters": {"which": "this", "state": "any"}}
    filters = Filters(which=Which.THIS, state=State.ANY)
    assert read_plan(session) == Plan(entity=Entity.SESSIONS, shape=Exists(), filters=filters)


def test_a_query_has_up_to_four_parts_and_a_language() -> None:
    query = Query(language=Language.JA, parts=(Plan(entity=Entity.AUDIT_EVENTS, shape=Count()), Fact("locked")))

    assert read_query({"language": "ja", "parts": [COUNT, {"fact": "locked"}]}) == query
    for wrong in (
        in_query(),
        in_query(*[COUNT] * (PARTS_MAX + 1)),
        {**in_query(COUNT), "language": "it"},
        {"parts": [COUNT]},
        {"language": "en", "parts": COUNT},
        in_query({"fact": 5}),
        in_query({"fact": "locked", "entity": "sessions"}),
    ):
        with pytest.raises(PlanInvalid):
            read_query(wrong)


@each(
    "period, expected",
    [
        ({"kind": "during", "when": "last_week"}, Calendar(relation=Relation.DURING, when=Named(name="last_week"))),
        ({"kind": "since", "when": "2026-03"}, Calendar(relation=Relation.SINCE, when=Date(year=2026, month=3))),
        ({"kind": "after", "when": "--11-13"}, Calendar(relation=Relation.AFTER, when=Date(month=11, day=13))),
        (
            {"kind": "during", "when": "2 days ago evening"},
            Calendar(relation=Relation.DURING, when=Part(of=Ago(count=2, unit=Unit.DAYS), part=DayPart.EVENING)),
        ),
        (
            {"kind": "until", "when": "yesterday 08:05"},
            Calendar(relation=Relation.UNTIL, when=Clock(of=Named(name="yesterday"), hour=8, minute=5)),
        ),
        ({"kind": "last", "count": 1000, "unit": "months"}, Last(count=1000, unit=Unit.MONTHS)),
        (None, None),
    ],
)
def test_a_period_is_read(period: Any, expected: Any) -> None:
    assert read_plan(with_filters(period=period)).filters.period == expected


@each("value", [None, True, 5, "count", [], {}, [COUNT], {"entity": "sessions"}, {**COUNT, "limit": 5}])
def test_json_that_is_not_a_query_is_refused(value: Any) -> None:
    for query in (value, in_query(value)):
        with pytest.raises(PlanInvalid):
            read_query(query)


@each("entity", [None, "", "users", "none", "Sessions", "authsvc_user", 5, [], {}])
def test_an_unknown_entity_is_refused(entity: Any) -> None:
    with pytest.raises(PlanInvalid):
        read_plan({**COUNT, "entity": entity})


@each(
    "answer",
    [
        None,
        "count",
        {},
        {"kind": "sum"},
        {"kind": "count", "by": "day"},
        {"kind": "count", "limit": 5},
        {"kind": "group_by"},
        {"kind": "group_by", "by": "user_id"},
        {"kind": "group_by", "by": ["day"]},
        {"kind": "group_by", "by": "day", "columns": ["ip"]},
        {"kind": "group_by", "by": "day", "sort": "random"},
        {"kind": "group_by", "by": "day", "limit": 0},
        {"kind": "compare"},
        {"kind": "compare", "other": {"kind": "during", "when": "last_week"}},
        {"kind": "exists", "limit": 1},
        {"kind": "rows"},
        {"kind": "rows", "columns": []},
        {"kind": "rows", "columns": "ip"},
        {"kind": "rows", "columns": ["digest"]},
        {"kind": "rows", "columns": ["metadata"]},
        {"kind": "rows", "columns": ["ended_at"]},
        {"kind": "rows", "columns": ["user_id"]},
        {"kind": "rows", "columns": ["ip", "ip"]},
        {"kind": "rows", "columns": [["ip"]]},
        {**ROWS, "order": "random"},
        {**ROWS, "limit": 0},
        {**ROWS, "limit": -1},
        {**ROWS, "limit": True},
        {**ROWS, "limit": 5.0},
        {**ROWS, "limit": "5"},
        {**ROWS, "by": "day"},
        {**ROWS, "offset": 5},
    ],
)
def test_an_answer_of_an_unknown_kind_is_refused(answer: Any) -> None:
    with pytest.raises(PlanInvalid):
        read_plan({"entity": "audit_events", "answer": answer})


@each(
    "filters",
    [
        "x",
        [],
        {"or": []},
        {"types": "logout"},
        {"types": ["logout"]},
        {"types": {"values": "logout"}},
        {"types": {"values": {}}},
        {"types": {"values": ["unknown"]}},
        {"types": {"values": ["operator_exported"]}},
        {"types": {"values": ["logout", "logout"]}},
        {"types": {"values": ["logout"], "is_not": 1}},
        {"types": {"values": ["logout"], "or": []}},
        {"ips": {"values": [5]}},
        {"ips": {"values": ["192.0.2.1/33"]}},
        {"ips": {"values": ["x"]}},
        {"browsers": {"values": [""]}},
        {"browsers": {"values": ["x" * 61]}},
        {"browsers": {"values": ["a\nb"]}},
        {"systems": {"values": [{"like": "%"}]}},
        {"forms": {"values": ["fridge"]}},
        {"places": {"values": [None]}},
        {"which": "this"},
        {"state": "ended"},
        {"by_end": True},
        {"hours": [22, 6]},
        {"hours": {"first": 6, "last": 6}},
        {"hours": {"first": 6, "last": 25}},
        {"hours": {"first": True, "last": 6}},
        {"hours": {"first": 6}},
        {"weekdays": "monday"},
        {"weekdays": ["someday"]},
        {"weekdays": [0]},
        {"period": "today"},
        {"period": {}},
        {"period": {"kind": "today"}},
        {"period": {"kind": []}},
        {"period": {"kind": "during"}},
        {"period": {"kind": "during", "when": "soon"}},
        {"period": {"kind": "during", "when": "2026-11-00"}},
        {"period": {"kind": "during", "when": ["today"]}},
        {"period": {"kind": "during", "when": "today", "count": 5}},
        {"period": {"kind": "last", "count": 0, "unit": "days"}},
        {"period": {"kind": "last", "count": 1001, "unit": "days"}},
        {"period": {"kind": "last", "count": 1, "unit": "decades"}},
        {"period": {"kind": "during", "when": "--13"}},
        {"period": {"kind": "during", "when": "--"}},
        {"period": {"kind": "during", "when": "yesterday 24:00"}},
        {"period": {"kind": "during", "when": "yesterday lunch"}},
        {"period": {"kind": "during", "when": "2 hours ago"}},
        {"period": {"kind": "during", "when": "0 days ago"}},
        {"period": {"kind": "last", "count": True, "unit": "days"}},
        {"period": {"kind": "between", "first": "2026-03-02", "last": "2026-03-01"}},
        {"period": {"kind": "between", "first": "2026-03-02"}},
        {"period": {"kind": "between", "first": "20260301", "last": "2026-03-02"}},
        {"period": {"kind": "between", "first": "1999-03-01", "last": "9999-12-31"}},
        {"period": {"kind": "between", "first": 5, "last": {}}},
    ],
)
def test_a_filter_of_an_unknown_kind_is_refused(filters: Any) -> None:
    with pytest.raises(PlanInvalid):
        read_plan({**COUNT, "filters": filters})


@pytest.mark.parametrize("filters", [None, {}, {"types": None}, {"types": {"values": []}}, {"weekdays": []}])
def test_an_empty_filter_is_no_filter(filters: Any) -> None:
    assert read_plan({**COUNT, "filters": filters}).filters == Filters()


@pytest.mark.parametrize(
    "plan",
    [
        {"answer": {"kind": "count"}, "filters": {"types": {"values": ["logout"]}}},
        {"answer": {"kind": "group_by", "by": "type"}},
        {"answer": {"kind": "rows", "columns": ["type"]}},
    ],
)
def test_sessions_have_no_type(plan: Any) -> None:
    assert read_plan({"entity": "audit_events", **plan}).entity is Entity.AUDIT_EVENTS
    with pytest.raises(PlanInvalid):
        read_plan({"entity": "sessions", **plan})


@pytest.mark.parametrize("name", ["user", "user_id", "account", "account_id", "email"])
def test_a_user_named_in_a_plan_is_ignored(name: str) -> None:
    named = {
        "entity": "audit_events",
        "answer": {"kind": "count", name: "x"},
        "filters": {"types": None, name: {"not": None}},
        name: ["x"],
    }

    query = {**in_query(named), name: "x"}
    assert read_query(query).parts == (Plan(entity=Entity.AUDIT_EVENTS, shape=Count()),)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
)
MEMBERS = [
    *("kind", "columns", "by", "limit", "order", "sort", "other", "when", "count", "unit", "values", "is_not"),
    *("types", "ips", "browsers", "systems", "forms", "places", "which", "state", "period", "hours", "weekdays"),
]
KINDS = ["rows", "count", "exists", "group_by", "compare", "last", "between", "users"]
WORDS = [*Column, *By, *Order, *Sort, *Which, *State, *Form, *Unit, *Relation, *KINDS, *NAMES]


@patient
@given(
    st.fixed_dictionaries(
        {"entity": st.sampled_from(Entity) | json_values},
        optional={
            name: st.dictionaries(st.sampled_from(MEMBERS), st.sampled_from(WORDS) | json_values) | json_values
            for name in ("answer", "filters")
        },
    )
    | json_values
)
def test_any_json_is_either_a_plan_or_refused(value: Any) -> None:
    try:
        query = read_query(in_query(value))
    except PlanInvalid:
        return

    assert all(isinstance(part, Fact) or part.entity in COLUMNS for part in query.parts)
    assert read_query(as_json(query)) == query


def test_a_written_query_matches_the_schema_and_is_read_back_unchanged() -> None:
    validator = jsonschema_rs.Draft202012Validator(schema(list(COLUMNS), facts=["locked", "second_factor"]))
    queries = [case.query for case in load_cases() if case.query is not None]
    last_week = Calendar(relation=Relation.DURING, when=Named(name="last_week"))
    full = Filters(
        types=Choice((EventType.LOGOUT,), is_not=True),
        ips=Choice(("192.0.2.0/24",)),
        browsers=Choice(("Chrome", "Firefox")),
        systems=Choice(("iOS",)),
        forms=Choice((Form.IPAD, Form.PHONE)),
        places=Choice(("Berlin",)),
        period=Last(count=3, unit=Unit.DAYS),
        hours=(22, 6),
        weekdays=frozenset({5, 6}),
    )
    parts = (
        Plan(entity=Entity.SESSIONS, shape=GroupBy(by=By.IP, sort=Sort.MOST, limit=3)),
        Plan(entity=Entity.SESSIONS, shape=Exists(), filters=Filters(which=Which.OTHERS, state=State.ANY)),
        Plan(entity=Entity.AUDIT_EVENTS, shape=Compare(other=last_week), filters=full),
        Fact("locked"),
    )

    for query in [*queries, Query(language=Language.FR, parts=parts)]:
        validator.validate(as_json(query))
        assert read_query(as_json(query)) == query


def test_the_schema_uses_only_what_strict_output_accepts() -> None:
    def check(part: Any) -> None:
        if isinstance(part, dict):
            assert not set(part) & {"oneOf", "allOf", "not", "minimum", "maximum", "pattern", "format", "minItems"}
            if part.get("type") == "object":
                assert part["additionalProperties"] is False
                assert part["required"] == list(part["properties"])
            for inner in part.values():
                check(inner)
        if isinstance(part, list):
            for inner in part:
                check(inner)

    described = schema(list(COLUMNS), facts=["locked"])

    assert described["type"] == "object"
    check(described)


def test_the_schema_contains_only_the_members_of_the_given_entities() -> None:
    (described,) = schema([Entity.SESSIONS])["properties"]["parts"]["items"]["anyOf"]

    assert described["properties"]["entity"]["enum"] == ["sessions", "none"]
    assert "types" not in described["properties"]["filters"]["properties"]
    assert "type" not in described["properties"]["answer"]["anyOf"][0]["properties"]["columns"]["items"]["enum"]
