"""The neighbours that the verified questions prove, for the parser of ask-AI.

`python -m tools.proven_neighbours` writes `askai/parser/tables/proven.py`. With `--check` it writes nothing, and exits with
1 if the file is out of date.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import orjson

from askai.parser.chunks import Tokens
from askai.parser.grammar import join, read
from askai.parser.languages import lexicon
from askai.parser.lexicon import fold
from askai.parser.proven import neighbours
from askai.plans.plan import Language, Part, PlanInvalid, Query, check

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = ROOT / "tests" / "api" / "askai" / "questions.jsonl"
TABLE = ROOT / "askai" / "parser" / "tables" / "proven.py"
HEAD = '''"""The classes of chunks that may follow a class. `python -m tools.proven_neighbours` wrote this file."""

from ...plans.plan import Language

'''
ENOUGH = 3
"""English also takes the neighbours of this many questions in any languages."""

Pair = tuple[str, str]


def questions() -> Iterator[tuple[str, Language]]:
    """Yield the questions that have an answer, with their language."""
    for case in map(orjson.loads, QUESTIONS.read_bytes().splitlines()):
        if case["expect"] != {"refuse": True}:
            yield case["question"], Language(case["language"])


def read_chunks(question: str, language: Language) -> Tokens:
    """Return the chunks of the question. Raises PlanInvalid when the language has no entry for a word."""
    return join(lexicon(language).read(fold(question)))


def read_parts(question: str, language: Language) -> tuple[Part, ...]:
    """Return the parts of the question as the grammar reads them, proven or not. Raises PlanInvalid like the parser."""
    query = Query(language=language, parts=read(read_chunks(question, language)))
    check(query)
    return query.parts


def proven() -> Mapping[Language, set[Pair]]:
    """Return the neighbours in the questions that the grammar reads. `test_questions` proves that it reads them rightly."""
    counts: dict[Language, Counter[Pair]] = defaultdict(Counter)
    for question, language in questions():
        try:
            read_parts(question, language)
        except PlanInvalid:
            continue
        counts[language].update(set(neighbours(read_chunks(question, language))))
    everywhere = sum(counts.values(), Counter[Pair]())
    found = {language: set(counts[language]) for language in Language}
    found[Language.EN] |= {pair for pair, count in everywhere.items() if count >= ENOUGH}
    return found


def lines(pairs: Iterable[Pair]) -> Iterator[str]:
    """Yield a line for each class, with the classes that may follow it."""
    after: dict[str, set[str]] = defaultdict(set)
    for first, second in pairs:
        after[first].add(second)
    for first in sorted(after):
        yield f"{first} > {' '.join(sorted(after[first]))}"


def text() -> str:
    """Return the module with the table of each language."""
    tables = [
        f'    Language.{language.name}: """\n' + "\n".join(lines(pairs)) + '\n""",\n'
        for language, pairs in proven().items()
    ]
    return f"{HEAD}TABLES = {{\n{''.join(tables)}}}\n"


def main(arguments: Sequence[str]) -> int:
    """Write the table when it is out of date. With `--check`, write nothing and return 1."""
    made = text()
    is_outdated = not TABLE.exists() or TABLE.read_text() != made
    if is_outdated and arguments == ["--check"]:
        sys.stderr.write(f"Out of date: {TABLE}. Run python -m tools.proven_neighbours.\n")
    elif is_outdated:
        TABLE.write_text(made)
        sys.stderr.write(f"Wrote {TABLE}\n")
    return int(is_outdated and arguments == ["--check"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
