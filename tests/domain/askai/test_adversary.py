"""Answered questions with one change of meaning at every place. The plan changes, or the question is refused.

The changes are made to the tokens, so they are the same in all languages.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import orjson
import pytest

from askai.parser import grammar, parse
from askai.parser.languages import lexicon
from askai.parser.lexicon import Token
from askai.parser.refused import REFUSED
from askai.plans.plan import Language, Part, PlanInvalid

from .test_mutations import NEUTRAL as MODULE_NEUTRAL
from .test_mutations import plan, questions

pytestmark = pytest.mark.once

UNKNOWN = {Language.JA: "ゾルグな"}
RELATIONS = ("since", "before", "after", "until", "since_post", "before_post", "after_post", "until_post")
MEANT = frozenset(RELATIONS) | {"day", "moment", "month", "weekday", "weekdays", "cond", "not", "except", "except_post"}
MEANT |= {"last", "most", "per", "num", "year", "compare", "than", "h_unit", "span", "part", "past"}
"""The kinds of tokens that change the meaning. `desde` before a place, and `の間` after two clocks, say nothing more."""
NEUTRAL = MODULE_NEUTRAL | {"detect"}
INTRUDERS = (
    Token("not"),
    Token("except"),
    Token("before"),
    Token("until"),
    Token("last", "oldest"),
    Token("most", "least"),
    Token("num", 7),
    Token("day", "this_year"),
    Token("weekdays", "tuesday"),
    Token("moment", "yesterday evening"),
    Token("cond", ("browsers", "Opera")),
    Token("con", "undo"),
    Token("con", "anomaly"),
    Token("who"),
)


@cache
def tokens(question: str, language: Language) -> list[Token]:
    return lexicon(language).read(question)


def read(changed: Sequence[Token]) -> tuple[Part, ...] | None:
    try:
        return grammar.read(grammar.join(list(changed)))
    except PlanInvalid:
        return None


def answered(language: Language) -> Iterator[tuple[str, list[Token], tuple[Part, ...]]]:
    """Yield the questions that this language reads, with their tokens and parts."""
    for question in questions(language):
        found = tokens(question, language)
        parts = read(found)
        assert parts is not None, question
        assert parts == plan(question, language)
        yield question, found, parts


def written(changed: Sequence[Token]) -> str:
    return " ".join(f"{token.kind}.{token.value}{token.mark}" for token in changed)


@pytest.mark.parametrize("language", Language)
def test_a_question_with_an_unknown_word_at_any_gap_is_refused(language: Language) -> None:
    for question in questions(language):
        words = question.split()
        for gap in range(len(words) + 1):
            longer = " ".join([*words[:gap], UNKNOWN.get(language, "zorblig"), *words[gap:]])
            with pytest.raises(PlanInvalid):
                parse(longer, language=language)


@pytest.mark.parametrize("language", Language)
def test_a_question_without_one_meaning_is_another_question(language: Language) -> None:
    dropped, unchanged = 0, []
    for question, found, parts in answered(language):
        for index, token in enumerate(found):
            is_concept = token.kind == "con" and not {*token.value.split()} & NEUTRAL
            twice = [each for each in found if (each.kind, each.value) == (token.kind, token.value)]
            is_link = token.kind.startswith(("since", "until"))
            if len(twice) == 1 and ((token.kind in MEANT and not is_link) or is_concept):
                dropped += 1
                if read([*found[:index], *found[index + 1 :]]) == parts:
                    unchanged.append((question, written([token])))

    assert dropped > 40
    assert not unchanged


@pytest.mark.parametrize("language", Language)
def test_a_question_with_another_word_at_any_gap_is_another_question(language: Language) -> None:
    unchanged = []
    for _, found, parts in answered(language):
        said = {(token.kind, token.value) for token in found}
        # A comparison shows both numbers, whichever is the least.
        said |= {("most", "least")} if {"than", "compare", "that"} & {token.kind for token in found} else set()
        for gap in range(len(found) + 1):
            for token in INTRUDERS:
                if (token.kind, token.value) not in said:
                    changed = [*found[:gap], token, *found[gap:]]
                    unchanged += [(written([token]), written(changed))] if read(changed) == parts else []

    assert not unchanged


@pytest.mark.parametrize("language", Language)
def test_another_relation_in_time_changes_the_plan(language: Language) -> None:
    unchanged = []
    for question, found, parts in answered(language):
        for index, token in enumerate(found):
            if token.kind in RELATIONS:
                side = "_post" if token.kind.endswith("_post") else ""
                for other in ("since", "before", "after", "until"):
                    if f"{other}{side}" != token.kind:
                        changed = [*found[:index], Token(f"{other}{side}"), *found[index + 1 :]]
                        unchanged += [(question, written(changed))] if read(changed) == parts else []

    assert not unchanged


@pytest.mark.parametrize("language", Language)
def test_a_second_value_beside_the_first_changes_the_plan(language: Language) -> None:
    unchanged = []
    others = {"day": "last_year", "month": "february", "weekday": "thursday", "cond": ("places", "Oslo")}
    for question, found, parts in answered(language):
        for index, token in enumerate(found):
            if token.kind in others:
                for joint in ([], [Token("and")], [Token("or")], [Token("comma")]):
                    other = Token(token.kind, others[token.kind])
                    changed = [*found[: index + 1], *joint, other, *found[index + 1 :]]
                    unchanged += [(question, written(changed))] if read(changed) == parts else []

    assert not unchanged


def test_questions_that_two_people_may_read_differently_are_refused() -> None:
    lines = (Path(__file__).parent / "ambiguous.jsonl").read_bytes().splitlines()
    cases = [(case["question"], Language(case["language"])) for case in map(orjson.loads, lines)]

    assert not [question for question, language in cases if plan(question, language) is not None]


def test_the_examples_of_refused_clauses_are_refused() -> None:
    answered_in = [(example, language) for _, example in REFUSED for language in Language if plan(example, language)]

    assert not answered_in


def test_a_time_after_ab_begins_with_it() -> None:
    since = [plan(f"Logins {word} 10. November", Language.DE) for word in ("ab", "ab dem", "seit dem")]

    assert since[0] is not None
    assert since[0] == since[1] == since[2]


def test_a_question_after_its_topic_asks_one_thing() -> None:
    whole = plan("How many failed logins were there in October?", Language.EN)

    assert whole is not None
    assert plan("Failed logins in October, how many?", Language.EN) == whole


def test_a_genitive_of_german_is_one_record() -> None:
    assert plan("Stadt des letzten Logins", Language.DE) == plan("Stadt der letzten Anmeldung", Language.DE)
    assert plan("Stadt des letzten Logins", Language.DE) != plan("Stadt der letzten Logins", Language.DE)
