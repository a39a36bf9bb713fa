from datetime import date
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askai.evaluation import load_cases
from askai.plans.entities import COLUMNS, Column, Entity
from askai.plans.periods import NAMES, Between, Calendar, Last, Relation, Unit
from askai.plans.plan import By, Count, Filters, GroupBy, Order, Plan, PlanInvalid, Rows
from askai.plans.plan_json import as_json, read_plan, schema
from events.vocabulary import EventType

pytestmark = pytest.mark.once

patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

COUNT = {"entity": "audit_events", "answer": {"kind": "count"}}
ROWS = {"kind": "rows", "columns": ["created_at"]}


def with_filters(**filters: Any) -> dict[str, Any]:
    return {**COUNT, "filters": filters}


def test_every_member_of_a_plan_is_read() -> None:
    plan = read_plan(
        {
            "entity": "audit_events",
            "answer": {"kind": "rows", "columns": ["type", "created_at"], "order": "oldest", "limit": 7},
            "filters": {
                "types": ["logout", "login_failed"],
                "ip": "::ffff:192.0.2.1",
                "browser": "Firefox",
                "os": "Windows",
                "period": {"kind": "between", "first": "2026-03-01", "last": "2026-03-15"},
            },
        }
    )

    assert plan == Plan(
        entity=Entity.AUDIT_EVENTS,
        shape=Rows(columns=(Column.TYPE, Column.CREATED_AT), order=Order.OLDEST, limit=7),
        filters=Filters(
            types=(EventType.LOGIN_FAILED, EventType.LOGOUT),
            ip="192.0.2.1",
            browser="Firefox",
            os="Windows",
            period=Between(first=date(2026, 3, 1), last=date(2026, 3, 15)),
        ),
    )


@pytest.mark.parametrize(
    ("period", "expected"),
    [
        ({"kind": "during", "when": "last_week"}, Calendar(relation=Relation.DURING, when="last_week")),
        ({"kind": "since", "when": "2026-03"}, Calendar(relation=Relation.SINCE, when="2026-03")),
        ({"kind": "last", "count": 1000, "unit": "months"}, Last(count=1000, unit=Unit.MONTHS)),
        (None, None),
    ],
)
def test_a_period_is_read(period: Any, expected: Any) -> None:
    assert read_plan(with_filters(period=period)).filters.period == expected


@pytest.mark.parametrize(
    "value", [None, True, 5, "count", [], {}, [COUNT], {"entity": "sessions"}, {**COUNT, "limit": 5}]
)
def test_json_that_is_not_a_plan_is_refused(value: Any) -> None:
    with pytest.raises(PlanInvalid):
        read_plan(value)


@pytest.mark.parametrize("entity", [None, "", "users", "none", "Sessions", "authsvc_user", 5, [], {}])
def test_an_unknown_entity_is_refused(entity: Any) -> None:
    with pytest.raises(PlanInvalid):
        read_plan({**COUNT, "entity": entity})


@pytest.mark.parametrize(
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
        {"kind": "rows"},
        {"kind": "rows", "columns": []},
        {"kind": "rows", "columns": "ip"},
        {"kind": "rows", "columns": ["digest"]},
        {"kind": "rows", "columns": ["metadata"]},
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


@pytest.mark.parametrize(
    "filters",
    [
        "x",
        [],
        {"or": []},
        {"types": "logout"},
        {"types": {}},
        {"types": 0},
        {"types": ""},
        {"types": False},
        {"types": ["unknown"]},
        {"types": ["logout", "logout"]},
        {"ip": 5},
        {"ip": "192.0.2.1/24"},
        {"ip": "x"},
        {"ip": ["192.0.2.1"]},
        {"browser": ""},
        {"browser": "x" * 61},
        {"browser": "a\nb"},
        {"os": {"like": "%"}},
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
        {"period": {"kind": "last", "count": 1, "unit": "years"}},
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


@pytest.mark.parametrize("filters", [None, {}, {"types": None}, {"types": []}])
def test_an_empty_filter_is_no_filter(filters: Any) -> None:
    assert read_plan({**COUNT, "filters": filters}).filters == Filters()


@pytest.mark.parametrize(
    "plan",
    [
        {"answer": {"kind": "count"}, "filters": {"types": ["logout"]}},
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
        "filters": {"types": [], name: {"not": None}},
        name: ["x"],
    }

    assert read_plan(named) == Plan(entity=Entity.AUDIT_EVENTS, shape=Count())


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
)
MEMBERS = ["kind", "columns", "by", "limit", "order", "types", "ip", "browser", "os", "period", "when", "count", "unit"]
WORDS = [*Column, *By, *Order, *Unit, *Relation, "rows", "count", "group_by", "last", "between", "users", *NAMES]


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
        plan = read_plan(value)
    except PlanInvalid:
        return

    assert plan.entity in COLUMNS
    assert read_plan(as_json(plan)) == plan


def test_a_written_plan_matches_the_schema_and_is_read_back_unchanged() -> None:
    validator = jsonschema_rs.Draft202012Validator(schema(list(COLUMNS)))
    plans = [case.plan for case in load_cases() if case.plan is not None]

    for plan in [*plans, Plan(entity=Entity.SESSIONS, shape=GroupBy(by=By.IP))]:
        validator.validate(as_json(plan))
        assert read_plan(as_json(plan)) == plan


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

    described = schema(list(COLUMNS))

    assert described["type"] == "object"
    check(described)


def test_the_schema_contains_only_the_members_of_the_given_entities() -> None:
    described = schema([Entity.SESSIONS])

    assert described["properties"]["entity"]["enum"] == ["sessions", "none"]
    assert "types" not in described["properties"]["filters"]["properties"]
    assert "type" not in described["properties"]["answer"]["anyOf"][0]["properties"]["columns"]["items"]["enum"]
