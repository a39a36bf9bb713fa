"""The two properties that make the list of sessions cheap. `./dev bench sessions` measures what they save."""

from typing import Any, NoReturn

import pytest
from django.db import connection
from django.db.backends.postgresql.psycopg_any import BaseTzLoader

from core.clock import now
from sessions_app.families.queries import list_live
from tests.people import Person


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has no datetimes that a library parses")
def test_psycopg_parses_no_datetime_for_a_list(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    account_id = alice.log_in().person.account().pk

    def refuse(*_: Any) -> NoReturn:
        raise AssertionError("psycopg parsed a datetime")

    monkeypatch.setattr(BaseTzLoader, "load", refuse)
    assert list_live(account_id=account_id, now=now())[0].created_at.tzinfo is not None


def test_answer_of_a_session_has_no_slots(alice: Person) -> None:
    found = list_live(account_id=alice.log_in().person.account().pk, now=now())[0]
    assert all(vars(one) for one in (found, found.device, found.location))
