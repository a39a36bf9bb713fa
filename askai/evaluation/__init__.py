"""The evaluation of planners: questions with their correct plans, and questions that a planner must refuse."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import orjson

from ..plans.plan import Plan, PlanInvalid
from ..plans.plan_json import read_plan

QUESTIONS = Path(__file__).parent / "questions.jsonl"


class Outcome(Enum):
    """The result for one question. A wrong plan is worse than a refusal, because its answer looks correct."""

    EXACT = "exact"
    REFUSED = "refused"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question and its correct plan; None when a planner must refuse the question."""

    question: str
    plan: Plan | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """A case and the plan that a planner made; None when the planner refused."""

    case: Case
    plan: Plan | None

    @property
    def outcome(self) -> Outcome:
        """Return the outcome of the comparison with the correct plan."""
        if self.plan == self.case.plan:
            return Outcome.EXACT
        return Outcome.REFUSED if self.plan is None else Outcome.WRONG


def load_cases() -> list[Case]:
    """Return all cases of the file QUESTIONS."""
    lines = [orjson.loads(line) for line in QUESTIONS.read_bytes().splitlines()]
    return [
        Case(question=line["question"], plan=None if line["plan"] is None else read_plan(line["plan"]))
        for line in lines
    ]


def evaluate(cases: list[Case], plan: Callable[[str], Plan]) -> Iterator[CaseResult]:
    """Yield a result for each case. `plan` raises PlanInvalid to refuse a question."""
    for case in cases:
        try:
            yield CaseResult(case=case, plan=plan(case.question))
        except PlanInvalid:
            yield CaseResult(case=case, plan=None)
