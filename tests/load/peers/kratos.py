"""Ory Kratos, with its sessions for native applications."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from tests.load.contest import Contender
from tests.load.driver import OPENED, Load
from tests.load.paths import CONNECTIONS, SESSIONS
from tests.load.service import PASSWORD
from tools.local_postgres import free_port

from . import building
from .conditions import DATABASE_CONNECTIONS, Conditions
from .running import get, post, running

NAME = "Ory Kratos"
MODULE = building.GoModule(key="kratos", path="github.com/ory/kratos", version="v1.3.1")

_SCHEMA = {
    "$id": "https://example.com/person.schema.json",
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "properties": {
        "traits": {
            "type": "object",
            "properties": {
                "email": {
                    "type": "string",
                    "format": "email",
                    "ory.sh/kratos": {"credentials": {"password": {"identifier": True}}},
                }
            },
            "required": ["email"],
            "additionalProperties": False,
        }
    },
}
_OPENING = "GET /self-service/login/api HTTP/1.1\r\nHost: localhost\r\nUser-Agent: Gatehouse load\r\n\r\n"
_LOGIN_BODY = ('{"method":"password","password":"' + PASSWORD + '","identifier":"', '"}')
_TOKEN = "X-Session-Token: "


@contextmanager
def contender(conditions: Conditions) -> Iterator[Contender]:
    """Build and run the server with all accounts. Raise Missing when this machine cannot."""
    program = MODULE.build(sources=conditions.sources.get(MODULE.key))
    port, admin_port = free_port(), free_port()
    settings = _write_settings(conditions, port=port, admin_port=admin_port)
    variables = {**conditions.variables, "SQA_OPT_OUT": "true"}
    migrate = [str(program.path), "migrate", "sql", "--yes", "--config", str(settings), "--read-from-env"]
    dsn = json.loads(settings.read_text())["dsn"]
    building.run(migrate, name=f"the migration of {NAME}", variables={**variables, "DSN": dsn})
    command = [str(program.path), "serve", "--config", str(settings)]
    log = conditions.directory / "kratos.log"
    with running(command, name=NAME, port=port, variables=variables, log=log) as process:
        encoded = conditions.password_hash()
        for email in conditions.emails:
            credentials = {"password": {"config": {"hashed_password": encoded}}}
            body = {"schema_id": "person", "traits": {"email": email}, "credentials": credentials}
            post(admin_port, "/admin/identities", json.dumps(body))
        loads = _loads(conditions, port=port, admin_port=admin_port)
        yield Contender(name=NAME, server=f"Go, {program.version}", process=process, loads=loads)


def _write_settings(conditions: Conditions, *, port: int, admin_port: int) -> Path:
    """Return the file of the configuration. Any session may be extended at any time."""
    schema = conditions.directory / "kratos.schema.json"
    schema.write_text(json.dumps(_SCHEMA))
    url = urlsplit(conditions.new_database("peer_kratos"))
    pool = f"sslmode=disable&max_conns={DATABASE_CONNECTIONS}&max_idle_conns={DATABASE_CONNECTIONS}"
    costs = conditions.costs
    settings = {
        "version": MODULE.version,
        "dsn": url._replace(scheme="postgres", query=pool).geturl(),
        "serve": {"public": _address(port), "admin": _address(admin_port)},
        "selfservice": {
            "default_browser_return_url": f"http://127.0.0.1:{port}/",
            "methods": {"password": {"enabled": True, "config": {"haveibeenpwned_enabled": False}}},
        },
        "log": {"level": "error"},
        "secrets": {"cookie": ["only-for-benchmarks"], "cipher": ["only-for-benchmarks-and-32-long!"]},
        "hashers": {
            "algorithm": "argon2",
            "argon2": {
                "memory": f"{costs.memory_kib}KB",
                "iterations": costs.time,
                "parallelism": costs.parallelism,
                "salt_length": 16,
                "key_length": 32,
            },
        },
        "identity": {"default_schema_id": "person", "schemas": [{"id": "person", "url": schema.as_uri()}]},
        "session": {"lifespan": "24h", "earliest_possible_extend": "24h"},
        "courier": {"smtp": {"connection_uri": "smtp://127.0.0.1:1/"}},
        "feature_flags": {"faster_session_extend": True},
    }
    file = conditions.directory / "kratos.json"
    file.write_text(json.dumps(settings))
    return file


def _address(port: int) -> dict[str, object]:
    return {"host": "127.0.0.1", "port": port, "base_url": f"http://127.0.0.1:{port}/"}


def _loads(conditions: Conditions, *, port: int, admin_port: int) -> dict[str, Callable[[float], Load]]:
    # A list of sessions leaves out that of the caller.
    [*_, (session_token, _)] = [_log_in(port, email=conditions.owner) for _ in range(SESSIONS + 1)]
    login = Load.post(
        f"/self-service/login?flow={OPENED}", body=_LOGIN_BODY, values=conditions.others, connections=CONNECTIONS
    )
    verify, sessions = (
        Load.get(path, tokens=[session_token], connections=CONNECTIONS, credential=_TOKEN)
        for path in ("/sessions/whoami", "/sessions")
    )
    if len(get(port, "/sessions", **{"X-Session-Token": session_token})) != SESSIONS:
        raise RuntimeError(f"{NAME} does not list {SESSIONS} sessions")

    def extend(_seconds: float) -> Load:
        return Load(
            before="PATCH /admin/sessions/",
            after="/extend HTTP/1.1\r\nHost: localhost\r\nUser-Agent: Gatehouse load\r\nContent-Length: 0\r\n\r\n",
            values=[_log_in(port, email=email)[1] for email in conditions.others[:CONNECTIONS]],
            connections=CONNECTIONS,
            port=admin_port,
        )

    return {
        "login": lambda _: replace(login, opening=_OPENING),
        "verify": lambda _: verify,
        "extend": extend,
        "sessions": lambda _: sessions,
    }


def _log_in(port: int, *, email: str) -> tuple[str, str]:
    """Return the token and the id of a new session."""
    flow = get(port, "/self-service/login/api")["id"]
    before, after = _LOGIN_BODY
    answer = post(port, f"/self-service/login?flow={flow}", f"{before}{email}{after}").json()
    return answer["session_token"], answer["session"]["id"]
