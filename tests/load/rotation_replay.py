"""The statements of a refresh without the service: the capacity of the database alone.

The statements run on generated families. Each family and each of its tokens has a number. The ids and digests follow
from the two numbers, so that pgbench can compute them.
"""

import hashlib
import json
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import psycopg

from tools.local_postgres import _programs

CLIENTS = 16
"""The number of families in a run. Run 3 has the families from 3 * CLIENTS on."""


class Role(StrEnum):
    """The meaning of a parameter: the family's id, the id or digest of a token, or a value.

    The token is the exchanged or the next one.

    Other rows that a refresh adds have the next token's id as their id.
    """

    FAMILY = "family"
    TOKEN_ID = "token_id"
    TOKEN_DIGEST = "token_digest"
    NEXT_ID = "next_id"
    NEXT_DIGEST = "next_digest"
    VALUE = "value"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of a statement. With Role.VALUE, `value` is a literal on PostgreSQL and an SQLite value on SQLite."""

    role: Role
    value: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement with a %s for each parameter. `in_transaction`: it runs in the transaction that ends the refresh."""

    sql: str
    parameters: Sequence[Parameter]
    in_transaction: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """The statements of a refresh, and a query that returns the newest token's id for a family's id."""

    statements: Sequence[Statement]
    newest: str


def id_of(*, family: int, token: int) -> UUID:
    """Return the id of the family's token with that number. Number 0 is the id of the family itself."""
    return UUID(int=token << 64 | family)


def digest_of(*, family: int, token: int) -> bytes:
    """Return the digest of the family's token with that number."""
    return hashlib.sha256(f"{token} {family}".encode()).digest()


def dump(recording: Recording) -> str:
    """Return the recording as text for `load()`."""
    return json.dumps(asdict(recording))


def load(text: str) -> Recording:
    """Return the recording that `dump()` wrote."""
    read = json.loads(text)
    statements = [
        Statement(
            sql=entry["sql"],
            parameters=[Parameter(role=Role(item["role"]), value=item["value"]) for item in entry["parameters"]],
            in_transaction=entry["in_transaction"],
        )
        for entry in read["statements"]
    ]
    return Recording(statements=statements, newest=read["newest"])


_ID = "(lpad(to_hex({token}::bigint), 16, '0') || lpad(to_hex(:family::bigint), 16, '0'))::uuid"
_DIGEST = "sha256(({token}::text || ' ' || :family::text)::bytea)"
_EXPRESSIONS = {
    Role.FAMILY: _ID.format(token="0"),
    Role.TOKEN_ID: _ID.format(token=":token"),
    Role.TOKEN_DIGEST: _DIGEST.format(token=":token"),
    Role.NEXT_ID: _ID.format(token=":next"),
    Role.NEXT_DIGEST: _DIGEST.format(token=":next"),
}


def pgbench_script(statements: Sequence[Statement]) -> str:
    """Return one refresh of the client's family as a pgbench script."""
    lines = [f"\\set family :run * {CLIENTS} + :client_id", "\\set next :token + 1"]
    is_open = False
    for statement in statements:
        if statement.in_transaction and not is_open:
            lines.append("BEGIN;")
            is_open = True
        expressions = [
            parameter.value if parameter.role is Role.VALUE else _EXPRESSIONS[parameter.role]
            for parameter in statement.parameters
        ]
        lines.append(f"{statement.sql % tuple(expressions)};")
    if is_open:
        lines.append("COMMIT;")
    return "\n".join([*lines, "\\set token :next", ""])


def replay_on_postgresql(recording: Recording, *, url: str, run: int, seconds: float) -> float:
    """Return the refreshes per second of pgbench with 16 clients and prepared statements."""
    with TemporaryDirectory() as name:
        script = Path(name) / "refresh.sql"
        script.write_text(pgbench_script(recording.statements))
        options = ["-n", "-M", "prepared", "-c", str(CLIENTS), "-j", "2", "-T", str(max(1, round(seconds)))]
        variables = ["-D", f"run={run}", "-D", "token=1"]
        done = subprocess.run(
            [str(_programs(venv=Path(sys.prefix)) / "pgbench"), *options, *variables, "-f", str(script), url],
            env={},
            capture_output=True,
            text=True,
            check=False,
        )
    found = re.search(r"actually processed: (\d+)\n(?:.*\n)*tps = ([\d.]+)", done.stdout)
    if done.returncode != 0 or found is None:
        raise RuntimeError(f"pgbench failed:\n{done.stdout}{done.stderr}")
    families = range(run * CLIENTS, (run + 1) * CLIENTS)
    with psycopg.connect(url) as session:
        newest = [session.execute(recording.newest, [id_of(family=family, token=0)]).fetchone() for family in families]
    _check(sum(_token_number(row[0]) - 1 for row in newest if row), times=int(found[1]))
    return float(found[2])


def replay_on_sqlite(recording: Recording, *, file: str, run: int, seconds: float) -> float:
    """Return the refreshes per second of a loop that runs only these statements."""
    family = run * CLIENTS
    with closing(sqlite3.connect(file, isolation_level=None, timeout=10)) as session:
        session.execute("PRAGMA synchronous=FULL")
        session.execute("PRAGMA foreign_keys=ON")
        statements = [(entry.sql % (("?",) * len(entry.parameters)), entry) for entry in recording.statements]
        started, elapsed, done = time.monotonic(), 0.0, 0
        while elapsed < seconds:
            done += 1
            _refresh_on_sqlite(session, statements, family=family, token=done)
            elapsed = time.monotonic() - started
        newest = session.execute(recording.newest % "?", [id_of(family=family, token=0).hex]).fetchone()
    _check(_token_number(UUID(newest[0])) - 1, times=done)
    return done / elapsed


def _refresh_on_sqlite(
    session: sqlite3.Connection, statements: Sequence[tuple[str, Statement]], *, family: int, token: int
) -> None:
    values = {
        Role.FAMILY: id_of(family=family, token=0).hex,
        Role.TOKEN_ID: id_of(family=family, token=token).hex,
        Role.TOKEN_DIGEST: digest_of(family=family, token=token),
        Role.NEXT_ID: id_of(family=family, token=token + 1).hex,
        Role.NEXT_DIGEST: digest_of(family=family, token=token + 1),
    }
    for sql, statement in statements:
        if statement.in_transaction and not session.in_transaction:
            session.execute("BEGIN IMMEDIATE")
        parameters = [item.value if item.role is Role.VALUE else values[item.role] for item in statement.parameters]
        session.execute(sql, parameters).fetchall()
    session.execute("COMMIT")


def _token_number(identifier: UUID) -> int:
    return identifier.int >> 64


def _check(rotations: int, *, times: int) -> None:
    if rotations != times:
        raise RuntimeError(f"the statements ran {times} times, but refreshed {rotations} times")
