"""Answered questions with one word more, or with another value. The plan changes, or the question is refused."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askai.parser import parse
from askai.parser.languages import lexicon
from askai.parser.lexicon import Token, fold
from askai.plans.plan import Language, Part, PlanInvalid
from askai.plans.plan_json import as_json, read_query

pytestmark = pytest.mark.once

_FILLERS = """
    a all among and any anyone aux ask but comma come count does each end ever exist fill from have it me mine most own
    only prep que recent rel show since since_post than that the to tense what when where which who during use adj last
    per or part parts ampm h_unit
"""
FILLERS = frozenset(_FILLERS.split())
"""The kinds that may change nothing. `All`, `the last` and `recent` before several records ask for the newest first."""
NEUTRAL = {"account", "attempt", "create", "enable", "event", "happen", "live", "login", "password", "session", "start"}
NEUTRAL |= {"success", "unused", "use"}
"""Concepts that can say again what the question says: a login is a success, and the codes that are left are unused."""
SWAPPED = frozenset({"cond", "day", "month", "weekday", "last"})


@cache
def questions(language: Language) -> list[str]:
    """Return 30 questions of the language that the parser answers."""
    lines = (Path(__file__).parent / "answered.jsonl").read_bytes().splitlines()
    return [fold(line["question"]) for line in map(orjson.loads, lines) if line["language"] == language]


@cache
def words(language: Language) -> list[tuple[Token, str]]:
    """Return one phrase for each meaning that the lexicon knows, without those of several tokens."""
    found = {tokens[0]: phrase for phrase, tokens in lexicon(language).entries.items() if len(tokens) == 1}
    return [(token, phrase) for token, phrase in found.items() if token.kind not in FILLERS]


@cache
def plan(question: str, language: Language) -> tuple[Part, ...] | None:
    try:
        return parse(question, language=language).parts
    except PlanInvalid:
        return None


@pytest.mark.parametrize("language", Language)
def test_the_parser_answers_the_questions(language: Language) -> None:
    assert len(questions(language)) == 30
    assert None not in [plan(question, language) for question in questions(language)]


def _with_one_more(language: Language) -> Iterator[tuple[Token, str, str]]:
    """Yield each meaning, a question, and the question with the meaning at one of its ends."""
    number = count()
    for token, phrase in words(language):
        question = questions(language)[next(number) % 30]
        place = (question.rfind(" ;") if question.endswith(" ;") else len(question)) if next(number) % 4 > 1 else 0
        yield token, question, f"{question[:place]} {phrase} {question[place:]}"


@pytest.mark.parametrize("language", Language)
def test_a_word_more_changes_the_plan_or_is_refused(language: Language) -> None:
    for token, question, longer in _with_one_more(language):
        made = plan(longer, language)
        assert made is None or made != plan(question, language) or adds_nothing(token, question, language), longer


def adds_nothing(token: Token, question: str, language: Language) -> bool:
    """Return whether the question says the same already: `failed` once more, or `this month` twice."""
    if token.kind == "weekday":  # `Friday, 25 September`
        return any(each.kind in ("day", "month") for each in lexicon(language).read(question))
    if token.kind == "prop":  # `the city Paris`
        return f"'{token.value}s'" in str(lexicon(language).read(question))
    said = {word for each in lexicon(language).read(question) for word in str(each.value).split()}
    said |= {"weekend"} if {"saturday", "sunday"} <= said else set()
    return set(str(token.value).split()) <= said | (NEUTRAL if token.kind == "con" else set())


@pytest.mark.parametrize("language", Language)
def test_another_value_changes_the_plan_or_is_refused(language: Language) -> None:
    entries = {phrase: found[0] for phrase, found in lexicon(language).entries.items() if found[0].kind in SWAPPED}
    swapped = 0
    for question in questions(language):
        said = [phrase for phrase in entries if phrase in question and re.search(rf"\b{re.escape(phrase)}", question)]
        for phrase in said:
            token = entries[phrase]
            other = next(each for each, found in entries.items() if found.kind == token.kind and differs(found, token))
            made = plan(question.replace(phrase, other), language)
            swapped += 1
            assert made is None or made != plan(question, language), (question, phrase, other)
    assert swapped >= 8


def differs(one: Token, other: Token) -> bool:
    """Return whether the values differ. Two places may be a city and its country, so both must be of one slot."""
    return one.value != other.value and (one.kind != "cond" or one.value[0] == other.value[0])


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
@pytest.mark.parametrize("language", Language)
def test_any_words_of_a_language_are_a_plan_or_refused(language: Language, data: st.DataObject) -> None:
    phrases = sorted(lexicon(language).entries)
    chosen = data.draw(st.lists(st.sampled_from(phrases) | st.sampled_from(questions(language)), max_size=8))

    try:
        query = parse(" ".join(chosen), language=language)
    except PlanInvalid:
        return

    assert read_query(as_json(query)) == query
