"""All questions that unprejudiced writers asked about the fixed world. The table of proven neighbours comes from them."""

from collections.abc import Iterator

import pytest

from askai.evaluation.judging import judge, load_world_cases
from askai.evaluation.outcomes import Outcome
from askai.plans.plan import PlanInvalid, Query
from tests.people import Person
from tests.placement import TAKES_LONG
from tools import proven_neighbours

from .deployment import Deployment
from .world import Populated, populated

pytestmark = [pytest.mark.once, TAKES_LONG, pytest.mark.timeout(900)]


@pytest.fixture
def world(deployment: Deployment, alice: Person, bob: Person) -> Iterator[Populated]:
    with populated(alice, dsn=deployment.dsn) as found:
        yield found


def test_the_grammar_reads_no_known_question_wrongly(world: Populated) -> None:
    wrong = []
    for case in load_world_cases(proven_neighbours.QUESTIONS):
        try:
            parts = proven_neighbours.read_parts(case.question, case.language)
            results = world.read(Query(language=case.language, parts=parts), zone=case.zone.key)
        except PlanInvalid:
            continue
        if judge(case, results, names=world.names) is Outcome.WRONG:
            wrong.append((case.question, case.expect, results))

    assert not wrong


def test_the_table_of_proven_neighbours_is_up_to_date() -> None:
    assert proven_neighbours.main(["--check"]) == 0
