"""The tests that one table feeds."""

import inspect

import pytest

from tests.rows import each

pytestmark = pytest.mark.once


def test_each_row_is_tried_and_the_failure_names_each_row_that_failed() -> None:
    tried: list[int] = []

    @each("number, square", [(1, 1), (2, 5), pytest.param(3, 8, id="three"), (4, 16)])
    def check(number: int, square: int, tried: list[int]) -> None:
        tried.append(number)
        assert number**2 == square

    with pytest.raises(ExceptionGroup, match="2 of 4 rows failed") as failed:
        check(tried=tried)

    assert tried == [1, 2, 3, 4]
    assert [error.__notes__ for error in failed.value.exceptions] == [["The row: (2, 5)"], ["The row: three"]]


def test_only_the_fixtures_remain_parameters_of_the_test() -> None:
    @each("one", ["a", "b"])
    @each("other", ["c", "d"])
    def check(one: str, other: str, pairs: list[str]) -> None:
        pairs.append(one + other)

    pairs: list[str] = []
    check(pairs=pairs)

    assert list(inspect.signature(check).parameters) == ["pairs"]
    assert pairs == ["ac", "ad", "bc", "bd"]


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(AssertionError, match="no rows for name"):
        each("name", [])
