"""Tests that one table feeds."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet

Test = Callable[..., None]


def each(names: str, rows: Iterable[Any]) -> Callable[[Test], Test]:
    """Call the test for each row of the table, in one test. A failure names every row that failed.

    `names` and `rows` are those of `pytest.mark.parametrize`. The rows share the fixtures of the test, which costs a
    third of the time. A test whose row changes what another row reads needs `parametrize`.
    """
    parameters = [name.strip() for name in names.split(",")]
    table = [ParameterSet.extract_from(row, force_tuple=len(parameters) == 1) for row in rows]
    assert table, f"no rows for {names}"

    def loop(test: Test) -> Test:
        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            failures = []
            for row in table:
                try:
                    test(**fixtures, **dict(zip(parameters, row.values, strict=True)))
                except pytest.fail.Exception as failed:
                    failures.append(_named(AssertionError(failed.msg), row))
                except Exception as failure:  # noqa: BLE001 - the group raises it
                    failures.append(_named(failure, row))
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(table)} rows failed", failures)

        signature = inspect.signature(test)
        own = [parameter for name, parameter in signature.parameters.items() if name not in parameters]
        run.__signature__ = signature.replace(parameters=own)  # type: ignore[attr-defined]  # pytest reads it
        return run

    return loop


def _named(failure: Exception, row: ParameterSet) -> Exception:
    failure.add_note(f"The row: {row.id or row.values}")
    return failure
