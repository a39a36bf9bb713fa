"""`./dev bench --questions`: the time of an answer of ask-AI's parser, for a user with many events."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from statistics import quantiles
from typing import Any
from urllib.parse import urlsplit

import orjson
import psycopg
from psycopg import sql

from askai.evaluation.world import World, load_world
from core import clock
from core.db.ids import new_id
from tests.processes.running import ROOT

from . import report
from .service import PASSWORD, Caller, Service

EVENTS = 20_000
DAYS = 89
EVERY = 26
"""The bench asks one verified question of this many."""

MILLISECONDS_MAX = 60.0
PERSON = "asker@example.com"
_QUESTIONS = ROOT / "tests" / "api" / "askai" / "questions.jsonl"
_ROLE, _ROLE_PASSWORD = "bench_asker", "pass-7c1f9e"
_GRANTS = {
    "authsvc_sessions_family": "id, account_id, current_token_id, started_at, idle_expires_at, absolute_expires_at, revoked_at",
    "authsvc_sessions_token": "id, ip, user_agent",
    "authsvc_accounts_event": "id, user_id, created_at, type, ip, user_agent",
}


def measure_questions(*, variables: Mapping[str, str], directory: Path) -> str:
    """Return the table of the response times. Questions about places are refused, since the service has no locations."""
    # A first factor is enough for the operator who stores the settings.
    variables = {**variables, "OPERATOR_SECOND_FACTOR": "optional"}
    with Service(variables=variables, directory=directory, arguments=["--no-worker"]) as service:
        caller = Caller(service.port)
        user_id = caller.get_data("POST", "/v1/signup", {"email": PERSON, "password": PASSWORD})["user_id"]
        _grant_operator(variables)
        _add_events(variables["DATABASE_URL"], user_id=user_id)
        token = caller.get_data("POST", "/v1/login", {"email": PERSON, "password": PASSWORD})["access_token"]
        _configure(service.port, token=token, dsn=_add_role(variables["DATABASE_URL"]))
        cases = [orjson.loads(line) for line in _QUESTIONS.read_bytes().splitlines()][::EVERY]
        # The first questions open the connections and read the tables of each language.
        _ask(caller, cases[:20], token=token)
        before = service.cpu_seconds()
        taken = _ask(caller, cases, token=token)
        cpu = (service.cpu_seconds() - before) / len(cases) * 1000
    cuts = quantiles(taken, n=100)
    kept = "yes" if cuts[94] <= MILLISECONDS_MAX else "no"
    figures = [f"{len(taken)} of {len(cases)}", *(f"{cuts[n - 1]:.1f} ms" for n in (50, 95, 99)), f"{cpu:.1f} ms", kept]
    head = ["answered", "p50", "p95", "p99", "CPU per question", f"p95 at most {MILLISECONDS_MAX:.0f} ms"]
    return (
        f"{EVENTS:,} events of one user.\n\n{report.table(head, [figures])}\n\n"
        f"One client asks every {EVERY}th verified question. The times are those of the answered questions. The CPU time "
        "is that of the web processes, for all questions. Questions about places are refused, since the service has no "
        "source of locations."
    )


def _grant_operator(variables: Mapping[str, str]) -> None:
    command = [sys.executable, "manage.py", "grant_operator", "-email", PERSON, "--unproven"]
    subprocess.run(command, cwd=ROOT, env={**os.environ, **variables}, stdout=subprocess.DEVNULL, check=True)


def _add_events(url: str, *, user_id: str) -> None:
    """Repeat the events of the world over the last days, in the order of their time."""
    now, world = clock.now(), load_world()
    columns = "id, created_at, type, user_id, ip, user_agent, metadata"
    with (
        psycopg.connect(url) as connection,
        connection.cursor().copy(f"COPY authsvc_accounts_event ({columns}) FROM STDIN") as copy,
    ):
        for number, event in enumerate(_repeated(world)):
            moment = now - timedelta(days=DAYS) * (1 - number / EVENTS)
            agent = world.agents[event["agent"]]
            copy.write_row((new_id(), moment, event["type"], user_id, event["ip"], agent, "{}"))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")


def _repeated(world: World) -> Iterator[Mapping[str, Any]]:
    for number in range(EVENTS):
        yield world.events[number % len(world.events)]


def _add_role(url: str) -> str:
    """Create the role that may only read the data for questions, and return its DSN."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {_ROLE} LOGIN PASSWORD '{_ROLE_PASSWORD}'")
        database = sql.Identifier(urlsplit(url).path.removeprefix("/"))
        connection.execute(sql.SQL("REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC").format(database))
        for table, columns in _GRANTS.items():
            connection.execute(f"GRANT SELECT ({columns}) ON {table} TO {_ROLE}")
    parts = urlsplit(url)
    return parts._replace(netloc=f"{_ROLE}:{_ROLE_PASSWORD}@{parts.hostname}:{parts.port}").geturl()


def _configure(port: int, *, token: str, dsn: str) -> None:
    origin = f"http://127.0.0.1:{port}"
    values: Mapping[str, Mapping[str, Any]] = {
        "ask-ai-widget": {
            "enabled": True,
            "allowed_origins": [origin],
            "entities": ["sessions", "audit_events"],
            "greeting": "What would you like to know?",
        },
        "llm-provider": {"kind": "builtin", "model": "none", "api_key": "none"},
        "database-provider": {"label": "reader", "dsn": dsn, "max_rows": 50},
    }
    caller = Caller(port)
    for name, value in values.items():
        answer = caller.call("PUT", f"/v1/admin/settings/{name}", value, token=token)
        if answer.status != HTTPStatus.OK:
            raise RuntimeError(f"PUT {name} was answered {answer.status}: {answer.body}")


def _ask(caller: Caller, cases: Sequence[Mapping[str, Any]], *, token: str) -> list[float]:
    """Ask the questions one after the other. Return the milliseconds of each that is answered."""
    taken = []
    for case in cases:
        question = {name: case[name] for name in ("question", "language", "time_zone")}
        started = time.perf_counter()
        answer = caller.call("POST", "/v1/ask-ai", question, token=token)
        elapsed = (time.perf_counter() - started) * 1000
        if answer.status == HTTPStatus.OK:
            taken.append(elapsed)
        elif answer.status != HTTPStatus.BAD_REQUEST:
            raise RuntimeError(f"The question was answered {answer.status}: {answer.body}")
    return taken
