"""The judge of unseen questions."""

from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from askai.evaluation.judging import WorldCase, judge
from askai.evaluation.outcomes import Outcome
from askai.plans.entities import Column
from askai.plans.periods import Span
from askai.plans.plan import Language
from askai.running.results import Compared, Counted, Found, Groups, Records, Result, Status, Total
from events.vocabulary import EventType
from tests.rows import each

pytestmark = pytest.mark.once

NAMES = {"id-1": "e1", "id-2": "e2"}


def records(*ids: str) -> Records:
    rows: list[tuple[Any, ...]] = [("192.0.2.1",)] * len(ids)
    return Records(columns=(Column.IP,), rows=rows, ids=ids, total=Total(count=len(ids)))


def count(number: int) -> Counted:
    return Counted(total=Total(count=number))


def verdict(expect: Any, results: Sequence[Result] | None) -> Outcome:
    expects = expect if isinstance(expect, list) else [expect]
    case = WorldCase(question="", language=Language.EN, zone=ZoneInfo("UTC"), expect=expects)
    return judge(case, results, names=NAMES)


TWO_TYPES = Counted(total=Total(count=5), by_type={EventType.LOGOUT: 2, EventType.LOGIN_FAILED: 3})
ONE_FOUND = Found(total=Total(count=1), newest=records("id-1"))
ONE_GROUP = Groups(pairs=[("192.0.2.1", 1)], total=Total(count=1))
COMPARED = Compared(counts=((Span(), Total(count=2)), (Span(), Total(count=3))))


@each(
    "expect, results",
    [
        ({"refuse": True}, None),
        ({"ids": ["e2", "e1"]}, [records("id-1", "id-2")]),
        ({"ids": []}, [records()]),
        ({"count": 3}, [count(3)]),
        ({"counts": {"login_failed": 3, "logout": 2}}, [TWO_TYPES]),
        ({"counts": {"login_failed": 3, "logout": 2}}, [count(2), count(3)]),
        ([{"count": 3}, {"count": 2}], [TWO_TYPES]),
        ({"yes": True}, [count(3)]),
        ({"yes": True, "ids": ["e1"]}, [records("id-1")]),
        ({"yes": True, "ids": ["e1"]}, [ONE_FOUND]),
        ({"ids": ["e1"]}, [ONE_FOUND, records("id-1")]),
        ({"ids": ["e1"]}, [ONE_GROUP]),
        ({"groups": {"192.0.2.1": 1}}, [records("id-1")]),
        ({"groups": {"192.0.2.1": 1}}, [ONE_GROUP]),
        ({"groups": {"2": 1}}, [Groups(pairs=[("02", 1)], total=Total(count=1))]),
        ({"compare": [2, 3]}, [COMPARED]),
        ({"yes": False}, [Status(name="locked", holds=False)]),
        ([{"ids": ["e1"]}, {"count": 3}], [records("id-1"), count(3)]),
    ],
)
def test_a_right_answer_is_exact(expect: Any, results: Sequence[Result] | None) -> None:
    assert verdict(expect, results) is Outcome.EXACT


@each(
    "expect, results",
    [
        ({"refuse": True}, [count(0)]),
        ({"ids": ["e1"]}, [records("id-1", "id-2")]),
        ({"ids": ["e1"]}, [count(1)]),
        ({"count": 3}, [count(4)]),
        ({"count": 1}, [records("id-1")]),
        ({"counts": {"login_failed": 3, "logout": 2}}, [count(5)]),
        ({"yes": False}, [count(3)]),
        ({"yes": True, "ids": ["e2"]}, [ONE_FOUND]),
        ({"groups": {"192.0.2.1": 2}}, [ONE_GROUP]),
        ({"groups": {"192.0.2.2": 1}}, [records("id-1")]),
        ({"compare": [3, 2]}, [COMPARED]),
        ([{"ids": ["e1"]}, {"count": 3}], [records("id-1")]),
        ([{"ids": ["e1"]}, {"count": 3}], [count(3), records("id-1")]),
        ({"ids": ["e1"]}, [records("id-1"), records("id-2")]),
    ],
)
def test_another_answer_is_wrong(expect: Any, results: Sequence[Result]) -> None:
    assert verdict(expect, results) is Outcome.WRONG


def test_a_refusal_of_an_answerable_question_is_no_wrong_answer() -> None:
    assert verdict({"count": 3}, None) is Outcome.REFUSED
