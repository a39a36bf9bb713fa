"""The tables of the tests that run on SQLite and in the host site too."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from tests.placement import ON_HOST, ON_SQLITE, Table, has_tests, is_placed
from tests.rows import each

pytestmark = pytest.mark.once

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("table", [ON_SQLITE, ON_HOST], ids=["sqlite", "host"])
def test_each_entry_names_tests_that_exist(table: Table) -> None:
    entries = [entry for entries in table.values() for entry in entries]

    assert [entry for entry in entries if not exists(entry)] == []


def exists(entry: str) -> bool:
    path, _, name = entry.partition("::")
    if entry.endswith("/"):
        return any((ROOT / path).rglob("test_*.py"))
    if not (ROOT / path).is_file():
        return False
    return not name or name in {
        node.name for node in ast.parse((ROOT / path).read_text()).body if isinstance(node, ast.FunctionDef)
    }


@pytest.mark.parametrize("table", [ON_SQLITE, ON_HOST], ids=["sqlite", "host"])
def test_a_table_names_each_test_once(table: Table) -> None:
    entries = [entry for entries in table.values() for entry in entries]
    doubles = [
        (one, other) for one in entries for other in entries if one != other and is_placed(one.rstrip("/"), [other])
    ]

    assert doubles == []
    assert [entry for entry, times in Counter(entries).items() if times > 1] == []


@each(
    "entry, placed",
    [
        ("tests/races/", True),
        ("tests/races/test_limits.py", True),
        ("tests/races/test_limits.py::test_one", True),
        ("tests/races/test_limits.py::test", False),
        ("tests/races/test_limit", False),
        ("tests/races", False),
        ("tests/domain/", False),
    ],
)
def test_an_entry_names_a_folder_a_file_or_a_test(entry: str, *, placed: bool) -> None:
    assert is_placed("tests/races/test_limits.py::test_one", [entry]) is placed


@each("path", ["tests/", "tests/races/", "tests/races/test_limits.py"])
@each("entry", ["tests/races/test_limits.py", "tests/races/test_limits.py::test_one"])
def test_a_project_imports_each_file_of_its_tests(path: str, entry: str) -> None:
    assert has_tests(path, [entry])


@pytest.mark.parametrize("path", ["tests/domain/", "tests/races/test_refresh.py", "tests/races/test_limits.pyc"])
def test_a_project_imports_no_other_file(path: str) -> None:
    assert not has_tests(path, ["tests/races/test_limits.py"])
