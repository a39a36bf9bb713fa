"""The whole answer: the text of the contract, and beside it the answer in the reader's words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from core.http.answers import Described

from ..plans.plan import Query
from ..running.results import Result
from ..running.scope import Scope
from .rendering import render
from .sentences import AnswerPart, Speaker
from .words import WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer as plain text for the user, and the number of records behind it."""

    example: ClassVar = {
        "answer": "value | count\nChrome on macOS | 1\nSafari on iOS | 2",
        "row_count": 2,
        "language": "en",
        "time_zone": "Europe/Berlin",
        "sentence": AnswerPart.example["sentence"],
        "parts": [AnswerPart.example],
    }

    answer: str
    row_count: int
    language: Annotated[str, Described("The language of the question: en, de, fr, es or ja.")]
    time_zone: Annotated[str, Described("The time zone in which the question was read.")]
    sentence: Annotated[str, Described("The whole answer in words, with what the service understood.")]
    parts: Annotated[Sequence[AnswerPart], Described("The answer to each part of the question, in its order.")]


def compose(asked: Query, query: Query, results: Sequence[Result], *, scope: Scope, max_rows: int) -> Answer:
    """Return the answer to the query, of which `results` has the result of each part.

    `query` is the query `asked`, as far as this deployment knows the columns.
    """
    text = render(results, max_rows=max_rows)
    speaker = Speaker(language=query.language, scope=scope)
    parts = [
        speaker.say(part, result, lacks_places=part != original)
        for original, part, result in zip(asked.parts, query.parts, results, strict=True)
    ]
    return Answer(
        answer=text.answer,
        row_count=text.row_count,
        language=query.language,
        time_zone=scope.zone.key,
        sentence=WORDS[query.language].space.join(dict.fromkeys(part.sentence for part in parts)),
        parts=parts,
    )
