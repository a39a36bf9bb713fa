"""How well questions are understood: questions with the plans that answer them, and those that must be refused."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import orjson

from ..plan import Plan, PlanInvalid
from ..plan_json import read_plan

QUESTIONS = Path(__file__).parent / "questions.jsonl"


class Outcome(Enum):
    """What became of a question. A wrong plan is worse than none: its answer looks like one."""

    EXACT = "exact"
    REFUSED = "refused"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question and its plan; None when it must be refused."""

    question: str
    plan: Plan | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a planner made of a case."""

    case: Case
    plan: Plan | None

    @property
    def outcome(self) -> Outcome:
        """Tell whether it is what was expected; columns count in any order."""
        if self.plan == self.case.plan:
            return Outcome.EXACT
        return Outcome.REFUSED if self.plan is None else Outcome.WRONG


def load_cases() -> list[Case]:
    """Return all cases."""
    lines = [orjson.loads(line) for line in QUESTIONS.read_bytes().splitlines()]
    return [
        Case(question=line["question"], plan=None if line["plan"] is None else read_plan(line["plan"]))
        for line in lines
    ]


def evaluate(cases: list[Case], plan: Callable[[str], Plan]) -> Iterator[Verdict]:
    """Yield what the planner, which raises PlanInvalid to refuse, makes of each question."""
    for case in cases:
        try:
            yield Verdict(case=case, plan=plan(case.question))
        except PlanInvalid:
            yield Verdict(case=case, plan=None)
