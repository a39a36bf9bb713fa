"""Export of users: one row of the format for each account, in the order of the ids."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from core.clock import rfc3339

from ...host import users
from ...models import Account
from .claims import settle, split
from .hashes import to_exported
from .parts import row_parts
from .rows import ACTIVE, DEACTIVATED

BATCH = 1_000


def export_users(*, with_secrets: bool) -> Iterator[list[bytes]]:
    """Yield the lines of the export in batches, each line with its end.

    With `with_secrets` the rows contain the secrets of second factors. Each batch is read by itself, so an account that
    changes during the export has either state.
    """
    rows = Account.objects.select_related("user").order_by("pk")
    last: Any = None
    while batch := list((rows if last is None else rows.filter(pk__gt=last))[:BATCH]):
        yield _lines(batch, with_secrets=with_secrets)
        last = batch[-1].pk


def count_users() -> int:
    """Return the number of rows of an export."""
    return Account.objects.count()


def _lines(accounts: Sequence[Account], *, with_secrets: bool) -> list[bytes]:
    keys = [account.pk for account in accounts]
    parts = [(part.member, part.export(keys, with_secrets=with_secrets)) for part in row_parts]
    lines = []
    for account in accounts:
        row = _own_members(account)
        row |= {member: found[account.pk] for member, found in parts if account.pk in found}
        lines.append(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
    return lines


def _own_members(account: Account) -> dict[str, Any]:
    # json and orjson together give large numbers the form that `settle` expects.
    metadata, language = split(orjson.loads(json.dumps(account.metadata)) if account.metadata else {})
    row: dict[str, Any] = {
        "id": str(account.pk),
        "email": users.email_of(account.user),
        "email_verified": account.email_proven_at is not None,
        "state": ACTIVE if account.deactivated_at is None else DEACTIVATED,
        "created_at": rfc3339(account.created_at),
    }
    if account.email_proven_at is not None:
        row["email_verified_at"] = rfc3339(account.email_proven_at)
    if account.was_proven:
        row["earlier_email_verified"] = True
    if account.deactivated_at is not None:
        row["deactivated_at"] = rfc3339(account.deactivated_at)
    if (password_hash := to_exported(str(account.user.password))) is not None:
        row["password_hash"] = password_hash
    if language is not None:
        row["language"] = language
    if metadata:
        row["metadata"] = settle(metadata)
    return row
