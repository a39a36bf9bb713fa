"""Everything that the service holds about one person, for the person who asks an operator for it (GDPR, Article 15)."""

from collections.abc import Iterator
from datetime import datetime

from accounts.host import users
from accounts.models import Account
from accounts.state.lookup import get_account_for_operator
from accounts.state.personal_tables import personal_tables
from core.db.transactions import write
from core.http.answers import dump
from core.http.client import Client
from events.vocabulary import EventType

from ..operators.acts import record_act

LIST_NAME = "personal data"
"""The name of the export in the metadata of its event."""


def export_person(*, user_id: str, operator_id: str, client: Client, now: datetime) -> Iterator[bytes]:
    """Record the export, and return the data about the account owner as one JSON object, in parts.

    The object has the members of `GET /v1/account/export` except `next_cursor`, so secrets are left out. Opens a
    transaction for the act. Each part reads a limited number of rows. Raises NotFound when no account has the id.
    """
    account = get_account_for_operator(user_id=user_id)
    _record(account, operator_id=operator_id, client=client, now=now)
    return _parts(account, now=now)


@write
def _record(account: Account, *, operator_id: str, client: Client, now: datetime) -> None:
    metadata = {"list": LIST_NAME, "filters": [], "subject_id": str(account.pk)}
    record_act(act=EventType.OPERATOR_EXPORTED, operator_id=operator_id, client=client, now=now, metadata=metadata)


def _parts(account: Account, *, now: datetime) -> Iterator[bytes]:
    head = dump({"user_id": str(account.pk), "email": users.email_of(account.user), "exported_at": now})
    yield head.removesuffix(b"}") + b',"tables":['
    for number, table in enumerate(personal_tables):
        yield (b"," if number else b"") + b'{"name":' + dump(table.name) + b',"rows":['
        for place, rows in enumerate(table.batches(account_id=account.pk)):
            yield (b"," if place else b"") + dump(rows)[1:-1]
        yield b"]}"
    yield b"]}"
