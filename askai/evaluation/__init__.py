"""The evaluation of planners: questions with their correct queries, and questions that a planner must refuse."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from ..plans.plan import Language, PlanInvalid, Query
from ..plans.plan_json import read_query
from .outcomes import Outcome

__all__ = ["Case", "CaseResult", "Outcome", "evaluate", "load_cases"]

QUESTIONS = Path(__file__).parent / "questions.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question and its correct query; None when a planner must refuse the question."""

    question: str
    language: Language
    query: Query | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """A case and the query that a planner made; None when the planner refused."""

    case: Case
    query: Query | None

    @property
    def outcome(self) -> Outcome:
        """Return the outcome of the comparison with the correct query."""
        if self.query == self.case.query:
            return Outcome.EXACT
        return Outcome.REFUSED if self.query is None else Outcome.WRONG


def load_cases() -> list[Case]:
    """Return all cases of the file QUESTIONS."""
    lines = [orjson.loads(line) for line in QUESTIONS.read_bytes().splitlines()]
    return [
        Case(
            question=line["question"],
            language=Language(line["language"]),
            query=None if line["query"] is None else read_query(line["query"]),
        )
        for line in lines
    ]


def evaluate(cases: list[Case], plan: Callable[[str], Query]) -> Iterator[CaseResult]:
    """Yield a result for each case. `plan` raises PlanInvalid to refuse a question."""
    for case in cases:
        try:
            yield CaseResult(case=case, query=plan(case.question))
        except PlanInvalid:
            yield CaseResult(case=case, query=None)
