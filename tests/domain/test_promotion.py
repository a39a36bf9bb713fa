"""The rules of a promotion: which target is fit, and the form of a row in both databases."""

import json
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import psycopg
import pytest
from django.db import connection
from hypothesis import given, settings
from hypothesis import strategies as st
from psycopg.conninfo import conninfo_to_dict

from accounts.ops.promotion.lines import find_tables, jsonb_text
from accounts.ops.promotion.source import Unfit
from accounts.ops.promotion.target import Target
from tests.processes.promoting import ask, target_database

pytestmark = pytest.mark.once

KINDS = "authsvc_accounts_storedhashkind"


@contextmanager
def opened(url: str, **others: Any) -> Iterator[Target]:
    target = Target({**conninfo_to_dict(url), **others})
    try:
        yield target
    finally:
        target.close()


@pytest.fixture
def target() -> Iterator[str]:
    """A database with the empty tables of the tested one, and without its foreign keys."""
    with target_database() as url, psycopg.connect(url, autocommit=True) as session:
        for table in connection.introspection.table_names():
            with connection.cursor() as cursor:
                columns = connection.introspection.get_table_description(cursor, table)
            session.execute(f'CREATE TABLE "{table}" ({", ".join(f"{column.name} text" for column in columns)})')
        yield url


def refusal(url: str, **others: Any) -> str:
    with pytest.raises(Unfit) as refused, opened(url, **others) as target:
        target.check()
    return str(refused.value)


@pytest.mark.django_db
def test_a_server_that_cannot_carry_the_service_is_refused() -> None:
    with target_database(options="TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'") as latin:
        assert "ENCODING 'UTF8'" in refusal(latin)
    with target_database() as url:
        assert "accepts no writes" in refusal(url, options="-c default_transaction_read_only=on")
        assert "may not create tables" in refusal(url, options="-c search_path=pg_catalog -c role=pg_monitor")
        with opened(url) as fit:
            fit.check()
            fit.take(lock=7)
            with opened(url) as second, pytest.raises(Unfit, match="Another program prepares"):
                second.take(lock=7, patience=0)


def test_an_old_server_is_refused_before_any_statement() -> None:
    def answer() -> None:
        session, _ = listener.accept()
        session.recv(4096)
        status = b"server_version\x0013.4\x00"
        session.sendall(b"R" + struct.pack("!ii", 8, 0) + b"S" + struct.pack("!i", 4 + len(status)) + status)
        session.sendall(b"Z" + struct.pack("!i", 5) + b"I")
        session.recv(4096)
        session.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = Thread(target=answer)
        server.start()
        url = f"postgresql://alice@127.0.0.1:{listener.getsockname()[1]}/old?sslmode=disable&gssencmode=disable"
        assert "The server is PostgreSQL 13, and the service needs 14 or newer" in refusal(url)
        server.join()


@pytest.mark.django_db
def test_rows_of_the_target_are_never_deleted_unless_an_unfinished_promotion_wrote_them(target: str) -> None:
    def fill(expected: str) -> None:
        with pytest.raises(Unfit, match=expected), opened(target) as open_target, open_target.filled([]):
            pytest.fail("the target is taken")

    with psycopg.connect(target) as other:
        other.execute(f"LOCK TABLE {KINDS} IN ROW EXCLUSIVE MODE")
        fill("Another program writes to the tables")
    ask(target, f"INSERT INTO {KINDS} VALUES ('argon2id')")  # noqa: S608 - only constants
    fill(f"{KINDS} of the target has rows already")
    mark = f"SELECT '{KINDS}' AS name, 1 AS rows, xmin::text AS xid FROM {KINDS}"  # noqa: S608 - only constants
    ask(target, f"CREATE TABLE authsvc_promotion AS {mark}")
    with opened(target) as unfinished, unfinished.filled([]):
        pass
    ask(target, f"UPDATE {KINDS} SET kind = 'scrypt'")  # noqa: S608 - only constants
    fill(f"another program changed {KINDS}")

    assert ask(target, f"SELECT kind FROM {KINDS}") == "scrypt"  # noqa: S608 - only constants


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])), inner, max_size=5
        )
    ),
    max_leaves=12,
)


def test_json_gets_the_form_in_which_postgresql_writes_it() -> None:
    with psycopg.connect(os.environ["TEST_POSTGRES_URL"], autocommit=True) as session:

        @settings(max_examples=150)
        @given(JSON)
        def compare(value: Any) -> None:
            text = json.dumps(value)
            [expected] = session.execute("SELECT %s::jsonb::text", (text,)).fetchone() or ("",)
            assert jsonb_text(text) == expected

        compare()
        for text in ('{"a": 1, "a": 2}', "[1e2, 1.50, -0, -0.0, 1E-7]", '{"é": 1, "z": 2, "": 3}', '"\\u007f\\u2028"'):
            [expected] = session.execute("SELECT %s::jsonb::text", (text,)).fetchone() or ("",)
            assert jsonb_text(text) == expected


def test_each_table_has_a_form_in_lines_and_follows_those_that_it_refers_to() -> None:
    names = [table.name for table in find_tables()]

    assert (
        names.index("authsvc_user") < names.index("authsvc_accounts_account") < names.index("authsvc_sessions_family")
    )
    assert "authsvc_console_operator" not in names
    assert len(names) == len(set(names)) > 25
