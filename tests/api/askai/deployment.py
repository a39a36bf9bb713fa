"""A deployment that answers questions, and language models that send prepared answers."""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import orjson
import psycopg
from django.db import connection
from pytest_django import Settings

from accounts.models import Account
from askai.settings.stored import LlmKind, Name, store
from core.clock import now
from core.db.transactions import write
from events.models import Event
from sessions_app.models import Family, Token
from tests.client import Answer
from tests.loopback import Peer, Talk, response
from tests.people import SignedIn

API_KEY = "sk-live-4f9b61d2aa"
GREETING = "What would you like to know?"
ORIGIN = "https://app.example.com"

_COLUMNS = {
    Family: "id, account_id, current_token_id, started_at, idle_expires_at, absolute_expires_at, revoked_at",
    Token: "id, ip, user_agent",
    Event: "id, user_id, created_at, type, ip, user_agent",
}
GRANTS = tuple(f"GRANT SELECT ({columns}) ON {model._meta.db_table} TO {{role}}" for model, columns in _COLUMNS.items())
"""The grants that the role needs, as in the documentation. The role cannot read the digest of a token."""


@contextmanager
def reading_role() -> Iterator[str]:
    """Create a role that may only read the data for questions; yield its DSN."""
    name = f"asker_{secrets.token_hex(6)}"
    with _superuser() as admin:
        admin.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'pass-7c1f9e'")
        for grant in GRANTS:
            admin.execute(grant.format(role=name))
    address = _address()
    try:
        yield f"postgresql://{name}:pass-7c1f9e@{address['host']}:{address['port']}/{address['dbname']}"
    finally:
        with _superuser() as admin:
            admin.execute(f"DROP OWNED BY {name}")
            admin.execute(f"DROP ROLE {name}")


def as_owner(*statements: str) -> None:
    """Run statements in the service's database, outside any transaction."""
    with _superuser() as admin:
        for statement in statements:
            admin.execute(statement)


@contextmanager
def unreadable_events() -> Iterator[None]:
    """Let every question about events wait until the end of the block."""
    with _superuser() as admin, admin.transaction():
        admin.execute(f"LOCK TABLE {Event._meta.db_table} IN ACCESS EXCLUSIVE MODE")
        yield


def _superuser() -> psycopg.Connection[Any]:
    known = connection.settings_dict
    return psycopg.connect(**_address(), user=known["USER"], password=known["PASSWORD"], autocommit=True)


def _address() -> dict[str, Any]:
    known = connection.settings_dict
    return {"host": known["HOST"], "port": known["PORT"] or 5432, "dbname": known["NAME"]}


@dataclass(frozen=True)
class Deployment:
    """The settings of ask-AI. Each method stores a setting in place of an earlier one, as the console does."""

    dsn: str
    settings: Settings

    def open(self, **widget: Any) -> None:
        """Enable questions about all entities, answered without a model."""
        self.use_widget(**widget)
        self.use_model("builtin")
        self.use_database()

    def use_widget(self, **changes: Any) -> None:
        """Store the widget setting."""
        value = {
            "enabled": True,
            "allowed_origins": [ORIGIN],
            "entities": ["sessions", "audit_events", "users"],
            "greeting": GREETING,
            "placeholder": "",
        }
        write(store)(name=Name.WIDGET, value={**value, **changes}, credential=None, now=now())

    def use_model(self, kind: str, *, base_url: str = "", model: str = "some-model-1") -> None:
        """Store the setting of the language model, with the model at `base_url`."""
        value = {"kind": kind, "model": model, "max_tokens": 1024}
        write(store)(name=Name.LLM_PROVIDER, value=value, credential=API_KEY, now=now())
        if kind != LlmKind.BUILTIN:
            self.prove_addresses()
        if base_url:
            self.configure(LLM_BASE_URL_ANTHROPIC=base_url, LLM_BASE_URL_OPENAI=f"{base_url}/v1")

    def prove_addresses(self) -> None:
        """Prove the address of every account. Only callers with a proven address may ask a paid model."""
        Account.objects.filter(email_proven_at=None).update(email_proven_at=now())

    def use_database(self, *, dsn: str = "", max_rows: int = 50) -> None:
        """Store the database setting."""
        value = {"label": "reader", "max_rows": max_rows}
        write(store)(name=Name.DATABASE_PROVIDER, value=value, credential=dsn or self.dsn, now=now())

    def configure(self, **variables: str) -> None:
        """Change the service's settings until the end of the test."""
        self.settings.AUTH_SERVICE = {**self.settings.AUTH_SERVICE, **variables}


def ask(session: SignedIn, question: Any, **headers: str) -> Answer:
    """Ask the question with the session's access token."""
    return session.api.post("/v1/ask-ai", {"question": question}, token=session.access, headers=headers)


def text_of(answer: Answer) -> dict[str, Any]:
    """Return the members of an answer that the contract has."""
    return {"answer": answer.data["answer"], "row_count": answer.data["row_count"]}


def rows(answer: Answer) -> list[dict[str, str]]:
    """Return the table of an answer as one mapping for each line."""
    header, *lines = str(answer.data["answer"]).split("\n")
    return [dict(zip(header.split(" | "), line.split(" | "), strict=True)) for line in lines]


def planning(plan: Any) -> Talk:
    """Return a model that always answers with this plan, in the wire format of the request."""
    return planning_in_turn([plan])


def planning_in_turn(plans: Sequence[Any]) -> Talk:
    """Return a model that answers with the plans in turn, and starts again after the last one."""

    def talk(peer: Peer, send: Callable[[bytes], object]) -> None:
        plan = plans[(len(peer.received) - 1) % len(plans)]
        send(json_response(in_wire_format(plan, line=peer.received[-1].line)))

    return talk


def in_wire_format(plan: Any, *, line: str) -> Mapping[str, Any]:
    """Return a query with this plan, in the wire format of the provider to which the request line belongs."""
    query = {"language": "en", "parts": [plan]}
    if "/messages " in line:
        block = {"type": "tool_use", "id": "toolu_1", "name": "run_plan", "input": query}
        return {"id": "msg_1", "type": "message", "role": "assistant", "content": [block], "stop_reason": "tool_use"}
    message = {"role": "assistant", "content": orjson.dumps(query).decode(), "refusal": None}
    return {"id": "1", "object": "chat.completion", "choices": [{"index": 0, "message": message}]}


def json_response(value: Any, *, status: str = "200 OK") -> bytes:
    """Return an HTTP response with the value as JSON."""
    return response(orjson.dumps(value), status=status, headers="Content-Type: application/json\r\n")
