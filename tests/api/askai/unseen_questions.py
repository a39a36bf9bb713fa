"""Judges unseen questions on the fixed world. The suite does not run it; docs/ask-ai.md has the command."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from askai.evaluation.judging import judge, load_world_cases
from askai.evaluation.outcomes import Outcome
from askai.parser import parse
from askai.plans.plan import PlanInvalid
from tests.people import Person

from .deployment import Deployment
from .world import Populated, populated

LINE_MAX = 300


@pytest.fixture
def world(deployment: Deployment, alice: Person, bob: Person) -> Iterator[Populated]:
    with populated(alice, dsn=deployment.dsn) as found:
        yield found


def test_no_answer_is_wrong(world: Populated) -> None:
    """Judge the cases of the file that ASK_AI_CASES names, and write the verdicts beside it, with `.report`."""
    path = Path(os.environ["ASK_AI_CASES"])
    verdicts: Counter[tuple[str, str, str]] = Counter()
    lines = []
    for case in load_world_cases(path):
        try:
            results = world.read(parse(case.question, language=case.language), zone=case.zone.key)
        except PlanInvalid:
            results = None
        outcome = judge(case, results, names=world.names)
        verdicts[case.language, "out of scope" if case.must_refuse else "answerable", outcome.value] += 1
        if outcome is not Outcome.EXACT:
            lines += [
                f"{outcome.value} [{case.language}] {case.question}",
                f"    expected {case.expect}",
                f"    got {results}",
            ]
    lines += [f"{' '.join(verdict)}: {count}" for verdict, count in sorted(verdicts.items())]
    Path(f"{path}.report").write_text("".join(f"{line[:LINE_MAX]}\n" for line in lines))

    assert not [verdict for verdict in verdicts if Outcome.WRONG.value in verdict]
