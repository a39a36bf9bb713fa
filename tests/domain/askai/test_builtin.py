from collections import Counter
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askai import builtin
from askai.builtin_words import BROWSERS, FILLERS
from askai.evaluation import Outcome, evaluate, load_cases
from askai.plan import PlanInvalid
from askai.plan_json import as_json, read_plan
from sessions_app.devices import describe
from tests.client import CHROME_ON_MAC

patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def test_the_parser_understands_nine_of_ten_questions_and_is_never_wrong() -> None:
    verdicts = list(evaluate(load_cases(), builtin.parse))

    answerable = Counter(verdict.outcome for verdict in verdicts if verdict.case.plan is not None)
    others = Counter(verdict.outcome for verdict in verdicts if verdict.case.plan is None)
    assert answerable.total() >= 100
    assert answerable[Outcome.EXACT] >= 0.9 * answerable.total()
    assert answerable[Outcome.WRONG] == 0
    assert others == {Outcome.EXACT: others.total()}


def test_no_question_is_evaluated_twice() -> None:
    questions = [case.question for case in load_cases()]

    assert len(set(questions)) == len(questions)


@pytest.mark.parametrize(
    "question",
    [
        "show my sessions",
        "SHOW MY SESSIONS!!!",
        "  Show\tmy\nsessions ?  ",
        "Please show me my sessions.",
        "Could you please list all of my sessions?",
        "ｓｈｏｗ my sessions",
    ],
)
def test_case_blanks_and_manners_do_not_matter(question: str) -> None:
    assert builtin.parse(question) == builtin.parse("sessions")


@pytest.mark.parametrize("word", ["not", "except", "without", "bob", "users", "everyone", "your", "her", "17", "why"])
@pytest.mark.parametrize(
    "question",
    ["show my {} sessions", "{} sessions", "how many logins {} today", "logins {}", "which devices did {} log in"],
)
def test_one_word_that_is_not_understood_is_enough(question: str, word: str) -> None:
    with pytest.raises(PlanInvalid):
        builtin.parse(question.format(word))


@patient
@given(st.text(max_size=500) | st.lists(st.sampled_from(sorted(FILLERS)), max_size=30).map(" ".join))
def test_whatever_is_asked_it_is_a_plan_or_refused(question: str) -> None:
    try:
        plan = builtin.parse(question)
    except PlanInvalid:
        return

    assert read_plan(as_json(plan)) == plan


WORDS = """
    my last first 5 ten how many logins failed sessions passkeys today since march between and 2026-03-01 per day which
    devices ips chrome windows 192.0.2.1 : 0 in on time of
"""


@patient
@given(st.lists(st.sampled_from(WORDS.split()), max_size=12))
def test_whatever_is_made_of_words_that_are_known_is_a_plan_or_refused(words: list[str]) -> None:
    try:
        plan = builtin.parse(" ".join(words))
    except PlanInvalid:
        return

    assert read_plan(as_json(plan)) == plan


def test_browsers_go_by_the_names_under_which_devices_are_shown() -> None:
    assert describe(CHROME_ON_MAC).browser in BROWSERS


def test_a_long_question_takes_no_time() -> None:
    for text in ("the " * 125, "192." * 125, "of the time and " * 31, "a" * 500, ": " * 250, "failed " * 71):
        with pytest.raises(PlanInvalid):
            builtin.parse(text[:500])


def test_the_command_prints_the_score() -> None:
    said = StringIO()

    call_command("evaluate_ask_ai", stdout=said)

    lines = said.getvalue().splitlines()
    assert lines[-2].startswith("answerable: ")
    assert lines[-1].startswith("out of scope: ")
    assert "25/" in said.getvalue()


def test_the_command_asks_for_what_a_model_needs() -> None:
    with pytest.raises(CommandError, match="--model"):
        call_command("evaluate_ask_ai", "--kind", "openai", "--api-key-env", "NO_SUCH_VARIABLE", "--model", "x")
