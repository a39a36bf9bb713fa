"""The size of the parser. docs/decisions/090 has the reason for the bounds."""

from pathlib import Path

import pytest

import askai.parser

pytestmark = pytest.mark.once

LINES_MAX = 2254
ENGLISH_MAX = 33_000


def test_the_grammar_and_the_english_tables_do_not_grow() -> None:
    parser = Path(askai.parser.__file__).parent
    tables = [parser / "tables" / f"{name}.py" for name in ("en", "shared", "places")]

    assert sum(len(path.read_text().splitlines()) for path in [*parser.glob("*.py"), *tables]) <= LINES_MAX
    assert len(tables[0].read_text()) <= ENGLISH_MAX
