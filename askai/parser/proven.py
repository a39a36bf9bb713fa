"""The neighbours that verified questions prove. A question with any other neighbours is refused.

A wrong answer mostly comes from a construction that no verified question has. `tables.proven` has these questions.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache

from ..plans.plan import Language, PlanInvalid
from .chunks import Tokens
from .clauses import MODIFIERS
from .lexicon import Token
from .tables.proven import TABLES

BORDER = "border"
WIDTHS = {Language.EN: 2, Language.DE: 3, Language.FR: 3, Language.ES: 3, Language.JA: 3}
OTHERS = 2


def check_neighbours(chunks: Tokens, language: Language) -> None:
    """Raise PlanInvalid unless a verified question of the language has each run of the width of WIDTHS."""
    if not _proven(language).issuperset(neighbours(classes(chunks), WIDTHS[language])):
        raise PlanInvalid


def classes(chunks: Tokens) -> list[str]:
    """Return the classes of the chunks. Polite words and the last sign have none."""
    found = [_class(each) for each in chunks if each.kind != "fill" or each.value]
    return found[:-1] if found[-1:] == ["end"] else found


def neighbours(found: Iterable[str], width: int) -> Iterator[tuple[str, ...]]:
    """Yield each run of `width` classes, or all classes when there are fewer. The borders have a class too."""
    row = (BORDER, *found, BORDER)
    return (row[start : start + width] for start in range(max(len(row) - width, 0) + 1))


def _class(chunk: Token) -> str:
    """Return the kind of the chunk, with its mark for a period and its sort for a concept."""
    if chunk.kind == "period" and chunk.mark:
        return f"period:{chunk.mark}"
    words = {*chunk.value.split()} if chunk.kind == "con" else {""}
    sort = "session" if "session" in words else "end" if "end" in words else "state" if words & MODIFIERS else ""
    return f"{chunk.kind}.{sort}" if sort else chunk.kind


@cache
def _proven(language: Language) -> frozenset[tuple[str, ...]]:
    """Return the runs that verified questions of the language have, or of OTHERS other languages."""
    counts = Counter[tuple[str, ...]]()
    for each in Language:
        runs = {run for line in TABLES[each].split("\n") for run in neighbours(line.split(), WIDTHS[language])}
        counts.update(dict.fromkeys(runs, OTHERS if each is language else 1))
    return frozenset(run for run, count in counts.items() if count >= OTHERS)
