"""Mailed links that undo a change of the address. A link is random, works once, and is stored as a digest.

Neither a later change of the address nor one of the password voids a link. Otherwise an attacker could void the link
of the account owner.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from core.addresses import email_key
from core.db.transactions import transaction_required
from core.keys.opaque import find_digest, new_token

from ..errors import VerificationTokenExpired, VerificationTokenInvalid
from ..host.changes import has_new_address, is_admitted
from ..models import UndoLink

LIFETIME = timedelta(days=7)

LINKS_MAX = 10
"""The number of live links of an account from which a further change gets none. The oldest links stay."""


@transaction_required
def issue_undo_link(*, account_id: Any, address: str, added_from: datetime, now: datetime) -> str:
    """Return a new raw token that restores the address, or "" when the account has LINKS_MAX live links.

    Needs a transaction, and the lock on the account's row.
    """
    live = UndoLink.objects.filter(account_id=account_id, spent_at=None, expires_at__gt=now)
    if live.count() >= LINKS_MAX:
        return ""
    token = new_token()
    UndoLink.objects.create(
        account_id=account_id,
        digest=token.digest,
        address=address,
        email_key=email_key(address),
        added_from=added_from,
        created_at=now,
        expires_at=now + LIFETIME,
    )
    return token.raw


def get_undo_link(*, raw: str, now: datetime) -> UndoLink:
    """Return the live link and load its account and user. The call does not spend the link.

    Raises VerificationTokenInvalid when the link is unknown, spent or void, or the account is not admitted. Raises
    VerificationTokenExpired when the link has expired.
    """
    digest = find_digest(raw)
    link = UndoLink.objects.select_related("account__user").filter(digest=digest).first() if digest else None
    if link is None or link.spent_at is not None or not is_admitted(link.account) or has_new_address(link.account):
        raise VerificationTokenInvalid
    if link.expires_at <= now:
        raise VerificationTokenExpired
    return link


@transaction_required
def spend_undo_link(link: UndoLink, *, now: datetime) -> bool:
    """Spend the link and all later links of the account, and return True. Return False when the link is not live.

    A later link leads to an address of after this change. Links of earlier changes stay. Of several concurrent callers
    exactly one gets True. Needs a transaction.
    """
    live = UndoLink.objects.filter(spent_at=None, expires_at__gt=now)
    if not live.filter(pk=link.pk).update(spent_at=now):
        return False
    live.filter(account_id=link.account_id, pk__gt=link.pk).update(spent_at=now)
    return True


@transaction_required
def void_undo_links(*, account_id: Any, now: datetime, address: str | None = None) -> None:
    """Void the account's links that restore the address, or all its links when `address` is None.

    Needs a transaction.
    """
    links = UndoLink.objects.filter(account_id=account_id, spent_at=None)
    if address is not None:
        links = links.filter(email_key=email_key(address))
    links.update(spent_at=now)


def find_restorable_keys(*, email_keys: Sequence[str], now: datetime) -> frozenset[str]:
    """Return those of the `email_key`s whose address a live link can restore. Runs one query."""
    links = UndoLink.objects.filter(email_key__in=email_keys, spent_at=None, expires_at__gt=now)
    return frozenset(links.values_list("email_key", flat=True))


def is_restorable(*, address: str, now: datetime, except_account: Any | None = None) -> bool:
    """Return whether a live link can restore the address to an account other than `except_account`."""
    links = UndoLink.objects.filter(email_key=email_key(address), spent_at=None, expires_at__gt=now)
    return links.exclude(account_id=except_account).exists()
