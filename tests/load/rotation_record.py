"""Record the database statements of a refresh in the service itself. Runs inside `manage.py shell`."""

import re
import sys
from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from django.db import connection
from psycopg import sql as composing

from core import clock
from core.http.client import Client
from core.keys import opaque
from sessions_app.families.rotation import rotate
from sessions_app.families.rotation_sql import LARGEST_ID
from sessions_app.models import Family, Token

from .rotation_replay import CLIENTS, Parameter, Recording, Role, Statement, digest_of, dump, id_of

_BEGIN = re.compile(r"BEGIN\b", re.IGNORECASE)
_HEX = re.compile(r"[0-9a-f]{32}")


class Recorder:
    """Record the statements of the rotation of one token."""

    def __init__(self, token: Token) -> None:
        self.statements: list[Statement] = []
        self._token = token

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Sequence[Any] | None, many: bool, context: Any
    ) -> Any:
        if not _BEGIN.match(sql):
            parameters = [self._parameter(value) for value in params or ()]
            self.statements.append(Statement(sql=sql, parameters=parameters, in_transaction=connection.in_atomic_block))
        return execute(sql, params, many, context)

    def _parameter(self, value: Any) -> Parameter:
        token = self._token
        if isinstance(value, (bytes, memoryview)):
            return Parameter(role=Role.TOKEN_DIGEST if bytes(value) == bytes(token.digest) else Role.NEXT_DIGEST)
        if isinstance(value, UUID) or (isinstance(value, str) and _HEX.fullmatch(value)):
            known = {
                token.pk: Role.TOKEN_ID,
                token.family_id: Role.FAMILY,
                token.family.account_id: Role.VALUE,
                LARGEST_ID: Role.VALUE,
            }
            role = known.get(value if isinstance(value, UUID) else UUID(value), Role.NEXT_ID)
            if role is not Role.VALUE:
                return Parameter(role=role)
        if connection.vendor == "sqlite":
            return Parameter(role=Role.VALUE, value=value)
        return Parameter(role=Role.VALUE, value=composing.Literal(value).as_string(connection.connection))


def record(*, refresh_token: str, runs: int) -> None:
    """Refresh once and print the statements. Also create the families that `runs` replays need.

    The call uses up the token.
    """
    token = Token.objects.select_related("family").get(digest=opaque.digest(refresh_token))
    recorder = Recorder(token)
    with connection.execute_wrapper(recorder):
        client = Client(ip="127.0.0.1", user_agent="Gatehouse load")
        rotate(refresh_token=refresh_token, idempotency_key=None, client=client, now=clock.now())
    for number in range(runs * CLIENTS):
        _copy_family(token.family, number=number)
    newest = f"SELECT current_token_id FROM {Family._meta.db_table} WHERE id = %s"  # noqa: S608 - the name comes from the model
    sys.stdout.write(dump(Recording(statements=recorder.statements, newest=newest)))


def _copy_family(family: Family, *, number: int) -> None:
    token_id = id_of(family=number, token=1)
    Family.objects.create(
        pk=id_of(family=number, token=0),
        account_id=family.account_id,
        current_token_id=token_id,
        started_at=family.started_at,
        authenticated_at=family.authenticated_at,
        idle_expires_at=family.idle_expires_at,
        absolute_expires_at=family.absolute_expires_at,
    )
    Token.objects.create(
        pk=token_id,
        family_id=id_of(family=number, token=0),
        digest=digest_of(family=number, token=1),
        created_at=family.started_at,
    )
