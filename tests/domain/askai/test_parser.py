from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askai.evaluation import Outcome, evaluate, load_cases
from askai.parser import parse
from askai.plans.plan import PlanInvalid
from askai.plans.plan_json import as_json, read_query
from tests.rows import each

pytestmark = pytest.mark.once

_FILLERS = "please show me the a my all did was in on from of with now there i it any just have"
FILLERS = _FILLERS.split()
PAGE = Path(__file__).parents[3] / "docs/ask-ai.md"

patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def test_the_parser_understands_nine_of_ten_questions_and_misreads_none() -> None:
    verdicts = list(evaluate(load_cases(), parse))

    answerable = Counter(verdict.outcome for verdict in verdicts if verdict.case.query is not None)
    others = Counter(verdict.outcome for verdict in verdicts if verdict.case.query is None)
    assert answerable.total() >= 100
    assert answerable[Outcome.EXACT] >= 0.9 * answerable.total()
    assert answerable[Outcome.WRONG] == 0
    assert others == {Outcome.EXACT: others.total()}


def test_no_question_is_evaluated_twice() -> None:
    questions = [case.question for case in load_cases()]

    assert len(set(questions)) == len(questions)


@each(
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
def test_case_blanks_and_polite_words_do_not_matter(question: str) -> None:
    assert parse(question) == parse("sessions")


@each("word", ["not", "except", "without", "bob", "users", "everyone", "your", "her", "17", "why"])
@each(
    "question",
    ["show my {} sessions", "{} sessions", "how many logins {} today", "logins {}", "which devices did {} log in"],
)
def test_one_unknown_word_makes_a_question_invalid(question: str, word: str) -> None:
    with pytest.raises(PlanInvalid):
        parse(question.format(word))


@each(
    "question",
    [
        "Did my last login fail?",
        "Did the last 3 logins fail?",
        "Was the last event a failed login?",
        "Was the last login from Chrome?",
        "Was my last login from 10.9.9.9?",
        "Which of the last 2 events were failed logins?",
        "Show failed logins of the last 2 events",
        "Is my newest session on Linux?",
        "Did my first login come from Firefox?",
        "Which of my last 5 logins failed?",
        "My last login was from Chrome?",
        "So was my last login from Chrome?",
        "When did my last login fail?",
        "Did I last log in yesterday?",
        "Show failed logins in the last 5 events",
        "Chrome logins from my last 10 logins",
        "Show my last 5 logins that were from Chrome",
        "Show the last 2 events, failed logins",
        "Where did my first login come from on Chrome?",
    ],
)
def test_a_question_about_the_last_record_is_not_read_as_the_last_matching_record(question: str) -> None:
    with pytest.raises(PlanInvalid):
        parse(question)


@each(
    "question, same",
    [
        ("When did I last log in from Firefox?", "last login from Firefox"),
        ("When was my last failed login?", "last failed login"),
        ("Show my last 5 failed logins", "my last 5 failed logins"),
        ("What is the newest session on Linux?", "newest session on Linux"),
        ("Which device did I last log in from?", "last login"),
        ("From which IP did I last log in?", "last login"),
        ("Which of my sessions is the oldest?", "oldest session"),
        ("Which of my logins was the first?", "first login"),
        ("What was the first login of October?", "first login in October"),
        ("Failed logins from ::ffff:6.6.6.6", "failed logins from 6.6.6.6"),
        ("Did I log out of all devices this week?", "did I log out everywhere this week"),
        ("When and where did I last log in?", "last login"),
    ],
)
def test_different_wordings_of_one_question_give_the_same_plan(question: str, same: str) -> None:
    assert parse(question) == parse(same)


@each(
    "question",
    [
        "last login per device",
        "last login for each device",
        "first login per ip",
        "recent failed logins by ip",
        "which devices did I last log in from",
        "list my devices, newest first",
    ],
)
def test_a_question_for_the_last_record_of_each_group_is_refused(question: str) -> None:
    with pytest.raises(PlanInvalid):
        parse(question)


@pytest.mark.parametrize(
    "question",
    [
        "How many sessions have I had this week?",
        "How many sessions did I have last week?",
        "Which sessions were there in March?",
        "Was I on Firefox in any sessions?",
    ],
)
def test_questions_about_past_sessions_are_refused(question: str) -> None:
    with pytest.raises(PlanInvalid):
        parse(question)


@each(
    "question",
    [
        "now revoke all my sessions",
        "do change my password",
        "please now log out",
        "all: delete my passkey",
        "right now change my email",
        "and revoke my sessions",
        "today, log out",
        "on Chrome, log out",
        "logout",
        "so please turn off 2FA",
        "for my account request a magic link",
        "list, use recovery code",
        "give me a new API key",
    ],
)
def test_commands_are_refused(question: str) -> None:
    with pytest.raises(PlanInvalid):
        parse(question)


@pytest.mark.parametrize(
    "question",
    [
        "logins on october first",
        "logins on the last of march",
        "logins on 2026-11-00",
        "logins on 2026-00-10",
        "logins since 2026-11-00",
    ],
)
def test_an_invalid_day_is_not_read_as_a_month(question: str) -> None:
    with pytest.raises(PlanInvalid):
        parse(question)


@each(
    "question",
    [
        "Did all logins fail?",
        "Did I log in every day this week?",
        "Are all my sessions from Chrome?",
        "Are my sessions from Chrome?",
        "My logins are all from Chrome?",
        "All logins were from Chrome",
        "Were my logins from Chrome?",
        "Was there a login each day?",
        "Did logins fail per day?",
    ],
)
def test_questions_that_a_list_does_not_answer_are_refused(question: str) -> None:
    with pytest.raises(PlanInvalid):
        parse(question)


@each(
    "question",
    [
        "what is a login",
        "what is an anomaly",
        "what are failed logins",
        "tell me what logins are",
        "which events are recorded?",
        "what happened when I changed my password",
        "did anything happen when I changed my password",
        "which device was I on when my password changed",
        "when my password was changed where was I",
        "what happened with my password changes",
        "Have I enabled 2FA?",
        "Has my account been locked?",
        "When was my oldest API key revoked?",
        "When did I remove my first passkey?",
        "Logins on Chrome or failed logins",
    ],
)
def test_questions_that_only_resemble_questions_about_events_are_refused(question: str) -> None:
    with pytest.raises(PlanInvalid):
        parse(question)


@patient
@given(st.text(max_size=500) | st.lists(st.sampled_from(FILLERS), max_size=30).map(" ".join))
def test_any_text_is_either_a_plan_or_refused(question: str) -> None:
    try:
        query = parse(question)
    except PlanInvalid:
        return

    assert read_query(as_json(query)) == query


WORDS = """
    my last first 5 ten how many logins failed sessions passkeys today since march between and 2026-03-01 per day which
    devices ips chrome windows 192.0.2.1 : 0 in on time of
"""


@patient
@given(st.lists(st.sampled_from(WORDS.split()), max_size=12))
def test_any_text_of_known_words_is_either_a_plan_or_refused(words: list[str]) -> None:
    try:
        query = parse(" ".join(words))
    except PlanInvalid:
        return

    assert read_query(as_json(query)) == query


def test_a_long_question_is_parsed_quickly() -> None:
    for text in ("the " * 125, "192." * 125, "of the time and " * 31, "a" * 500, ": " * 250, "failed " * 71):
        with pytest.raises(PlanInvalid):
            parse(text[:500])


def test_the_command_prints_the_score() -> None:
    said = StringIO()

    call_command("evaluate_ask_ai", stdout=said)

    lines = said.getvalue().splitlines()
    groups = [line.split(":")[0] for line in lines[-20:]]
    for group in ("answerable", "answerable, language en", "answerable, kind rows", "out of scope, language en"):
        assert groups.count(group) == 1
    assert "25/" in said.getvalue()


def test_the_documentation_states_the_number_of_questions() -> None:
    assert f"how well a model does on {len(load_cases())} questions" in " ".join(PAGE.read_text().split())


def test_the_command_lists_the_available_kinds() -> None:
    with pytest.raises(CommandError) as refused:
        call_command("evaluate_ask_ai", "--kind", "nope")

    assert "openai" in str(refused.value)
    assert "LlmKind" not in str(refused.value)


def test_the_command_requires_the_settings_of_a_model() -> None:
    with pytest.raises(CommandError, match="--model"):
        call_command("evaluate_ask_ai", "--kind", "openai", "--api-key-env", "NO_SUCH_VARIABLE", "--model", "x")
