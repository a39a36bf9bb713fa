"""A parser that plans everyday questions in five languages, without a model.

Every token of a question gets a slot of the plan, or is a filler that changes nothing at its place, or the question is
refused. The parser never guesses.
"""

from ..plans.plan import Language, Part, PlanInvalid, Query, check
from .chunks import Tokens
from .grammar import join, read
from .languages import lexicon
from .lexicon import fold
from .proven import check_neighbours

QUESTION_MAX = 1000
TOKENS_MAX = 120


def parse(question: str, *, language: Language | None = None) -> Query:
    """Return the query of the question, in the language in which it was read. `language` is read first.

    Raises PlanInvalid when no language reads every part of the question, or two languages read it differently, or no
    verified question has two of its neighbours.
    """
    text = fold(question[: QUESTION_MAX + 1])
    if len(question) > QUESTION_MAX:
        raise PlanInvalid
    read_by: dict[Language, tuple[Part, ...]] = {}
    chunks: dict[Language, Tokens] = {}
    for each in sorted(Language, key=lambda other: other is not language):
        try:
            tokens = lexicon(each).read(text)
            if len(tokens) <= TOKENS_MAX:
                chunks[each] = join(tokens)
                read_by[each] = read(chunks[each])
        except PlanInvalid:
            continue
        if each is language:
            break
    if len(set(read_by.values())) != 1:
        raise PlanInvalid
    first = next(iter(read_by))
    query = Query(language=first, parts=read_by[first])
    check(query)
    check_neighbours(chunks[first], first)
    return query
