"""An embedded deployment that a test promotes, and the PostgreSQL databases that get its data."""

import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg

from core.db import write_stop

from .running import call, until

SLOW_MARK = """
    CREATE FUNCTION wait() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
        IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'public.authsvc_promotion') THEN
            PERFORM pg_sleep(2);
        END IF;
    END $$;
    CREATE EVENT TRIGGER slow ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION wait()
"""
"""Makes a promotion wait for two seconds right before its commit."""
IS_WAITING = (
    "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep')"
)


@contextmanager
def target_database(*, options: str = "") -> Iterator[str]:
    """Yield the URL of a new, empty database of PostgreSQL."""
    server, name = os.environ["TEST_POSTGRES_URL"], f"target_{secrets.token_hex(4)}"
    with psycopg.connect(server, autocommit=True) as session:
        session.execute(f'CREATE DATABASE "{name}" {options}')
        yield f"{server.rpartition('/')[0]}/{name}"
        session.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def ask(url: str, query: str) -> Any:
    """Return the first value that the query of PostgreSQL returns, or None without a result."""
    with psycopg.connect(url, autocommit=True) as session:
        cursor = session.execute(query)
        return cursor.fetchone()[0] if cursor.description else None  # type: ignore[index]  # the query returns a row


def open_file(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, timeout=10)


def is_stopped(path: Path) -> bool:
    """Return whether the file has a stop of writes, in force or not."""
    with closing(open_file(path)) as database:
        return bool(database.execute("SELECT 1 FROM sqlite_master WHERE name = 'authsvc_write_stop'").fetchone())


def is_logging(path: Path) -> bool:
    """Return whether a promotion logs the changes of the file, which it does from the beginning of the copy."""
    with closing(open_file(path)) as database:
        return bool(database.execute("SELECT 1 FROM sqlite_master WHERE name = 'authsvc_change_log'").fetchone())


def kept_stop(path: Path) -> str | None:
    with closing(open_file(path)) as database:
        return write_stop.find_kept(database)


def await_writes(port: int, email: str) -> None:
    """Sign up, as soon as the deployment accepts writes again."""
    body = {"email": email, "password": "correct horse battery"}
    until(lambda: call(port, "POST", "/v1/signup", body).status in {201, 409}, what="writes")
