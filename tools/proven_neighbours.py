"""The classes of the chunks of each verified question, for the parser of ask-AI.

`python -m tools.proven_neighbours` writes `askai/parser/tables/proven.py`. With `--check` it writes nothing, and exits with
1 if the file is out of date.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import orjson

from askai.parser.chunks import Tokens
from askai.parser.grammar import join, read
from askai.parser.languages import lexicon
from askai.parser.lexicon import fold
from askai.parser.proven import classes
from askai.plans.plan import Language, Part, PlanInvalid, Query, check

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = ROOT / "tests" / "api" / "askai" / "questions.jsonl"
TABLE = ROOT / "askai" / "parser" / "tables" / "proven.py"
HEAD = '''"""The classes of the chunks of each verified question. `python -m tools.proven_neighbours` wrote this file."""

from ...plans.plan import Language

'''


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


def proven() -> Mapping[Language, set[str]]:
    """Return the classes of the questions that the grammar reads. `test_known_questions` proves that it reads them rightly."""
    found: dict[Language, set[str]] = {language: set() for language in Language}
    for question, language in questions():
        try:
            read_parts(question, language)
        except PlanInvalid:
            continue
        found[language].add(" ".join(classes(read_chunks(question, language))))
    return found


def text() -> str:
    """Return the module with the table of each language."""
    tables = [
        f'    Language.{language.name}: """\n' + "\n".join(sorted(lines)) + '\n""",\n'
        for language, lines in proven().items()
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
