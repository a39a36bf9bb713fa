"""The neighbours that verified questions prove. A question with any other neighbours is refused.

A wrong answer comes from a construction that no verified question has. The tool `tools.proven_neighbours` collects the
classes of the chunks that stand side by side in the verified questions of each language.
"""

from collections.abc import Iterator
from functools import cache

from ..plans.plan import Language, PlanInvalid
from .chunks import Tokens
from .clauses import MODIFIERS
from .lexicon import Token
from .tables.proven import TABLES

BORDER = "border"


def check_neighbours(chunks: Tokens, language: Language) -> None:
    """Raise PlanInvalid unless verified questions of the language prove each two neighbours."""
    if not _proven(language).issuperset(neighbours(chunks)):
        raise PlanInvalid


def neighbours(chunks: Tokens) -> Iterator[tuple[str, str]]:
    """Yield the classes of each two neighbours. The borders of the question have a class too; polite words have none."""
    classes = [_class(each) for each in chunks if each.kind != "fill" or each.value]
    if classes[-1:] == ["end"]:
        classes.pop()
    return zip([BORDER, *classes], [*classes, BORDER], strict=True)


def _class(chunk: Token) -> str:
    """Return the kind of the chunk, with its mark for a period and its sort for a concept."""
    if chunk.kind == "period":
        return f"period:{chunk.mark}" if chunk.mark else "period"
    if chunk.kind != "con":
        return chunk.kind
    words = {*chunk.value.split()}
    sort = "session" if "session" in words else "end" if "end" in words else "state" if words & MODIFIERS else ""
    return f"con.{sort}" if sort else "con"


@cache
def _proven(language: Language) -> frozenset[tuple[str, str]]:
    lines = (line.partition(" > ") for line in TABLES[language].strip().splitlines())
    return frozenset((first, second) for first, _, listed in lines for second in listed.split())
