"""The six digits in the mail of a magic link, which another device can send instead of the link.

A code belongs to the token of its link, and one update spends both. Only the code of the newest link works, and only for
TRIES_MAX tries. The database has a keyed digest: a copy of it without SECRET_KEY does not reveal the code.
"""

import hashlib
import hmac
import secrets
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import F

from accounts.models import MailToken
from accounts.proofs.credentials import digest_of_unknown
from accounts.state.mail_tokens import Purpose
from core.addresses import email_key
from core.db.transactions import transaction_required
from core.keys.opaque import find_digest

DIGITS = 6
TRIES_MAX = 5
"""A code ends at this number of wrong codes for its address."""


@transaction_required
def issue_code(raw: str, email: str) -> str:
    """Give the mailed token of this raw value a code for the address, and return the code. Earlier codes end.

    The links of the earlier codes still work. With several codes at once, each guess would have several chances. Needs a
    transaction, and the lock on the account's row.
    """
    code = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
    token = MailToken.objects.get(digest=find_digest(raw))
    _working(account_id=token.account_id, email=email).update(code_digest=None)
    MailToken.objects.filter(pk=token.pk).update(code_digest=_digest(code, email=email))
    return code


@transaction_required
def spend_code(*, account_id: Any | None, email: str, code: str, now: datetime) -> str | None:
    """Spend the account's code with its link, and return the address that the code proves. Return None for a wrong code.

    A wrong code counts as a try. Without an account, the call runs the same statements, and the result proves nothing.
    Needs a transaction, and the lock on the account's row: it lets the tries of parallel calls count one after the other.
    """
    live = _working(account_id=account_id, email=email).filter(expires_at__gt=now, code_failures__lt=TRIES_MAX)
    right = live.filter(code_digest=_digest(code.strip(), email=email))
    address = right.values_list("address", flat=True).first()
    # The condition on the updated row makes exactly one of several calls spend the token.
    is_spent = address is not None and bool(right.update(spent_at=now))
    if not is_spent:
        live.update(code_failures=F("code_failures") + 1)
    return address if is_spent else None


def _working(*, account_id: Any | None, email: str) -> Any:
    """Return the unspent tokens with a code. Without an account, they are those of the unknown address."""
    rows = MailToken.objects.filter(
        account_id=account_id, purpose=Purpose.MAGIC_LINK, spent_at=None, code_digest__isnull=False
    )
    return rows if account_id is not None else rows.filter(address=digest_of_unknown(email_key(email)))


def _digest(code: str, *, email: str) -> bytes:
    key = f"authsvc.link_code:{settings.SECRET_KEY}".encode()
    return hmac.digest(key, f"{email_key(email)} {code}".encode(), hashlib.sha256)
