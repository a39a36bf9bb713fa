"""Who may use the console: granted at the command line, claimed by every token that is issued afterwards."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import orjson

from accounts.core import sql
from accounts.core.transactions import write
from accounts.credentials import find_account
from accounts.lookup import find_known_account
from accounts.metadata import claims_of
from accounts.models import Account

from .models import Operator

ROLE_MAX = 64
DEFAULT_ROLE = "admin"

_CLAIMS = f"""
    SELECT a.metadata, o.account_id IS NOT NULL
    FROM {Account._meta.db_table} a LEFT JOIN {Operator._meta.db_table} o ON o.account_id = a.user_id
    WHERE a.user_id = %s
"""  # noqa: S608 - tables' own names


class OperatorClaims:
    """Adds what operators gave an account, and what it is to them, to its tokens."""

    def claims(self, *, account_id: Any) -> Mapping[str, Any]:
        """Return the account's metadata and, for an operator, `role: "admin"`. One query."""
        row = sql.fetch_one(_CLAIMS, (account_id,))
        if row is None:
            return {}
        metadata, is_operator = row
        claims = claims_of(orjson.loads(metadata)) if metadata != "{}" else {}
        return claims | {"role": "admin"} if is_operator else claims


def grant(*, email: str, role: str, now: datetime) -> Account | None:
    """Make the account an operator, or give an operator another role; None when the address has no account."""
    account = find_account(email=email, now=now)
    if account is not None:
        _store(account, role=role, now=now)
    return account


def revoke(*, email: str) -> tuple[Account | None, bool]:
    """Let the account be no operator; return it, None when the address has none, and whether it was one."""
    # Whoever the site has shut out meanwhile can still lose it.
    account = find_known_account(email=email)
    return account, account is not None and _delete(account)


@write
def _store(account: Account, *, role: str, now: datetime) -> None:
    Operator.objects.update_or_create(account=account, defaults={"role": role, "granted_at": now})


@write
def _delete(account: Account) -> bool:
    return bool(Operator.objects.filter(account=account).delete()[0])
