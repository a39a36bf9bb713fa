"""Mailed tokens. A token is random, can be spent once, and is stored as a digest.

A change of the account's address or password voids its tokens.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from core.db.transactions import transaction_required
from core.http.limits import EdgeAlone
from core.keys.opaque import find_digest, new_token

from ..errors import VerificationTokenExpired, VerificationTokenInvalid
from ..host.changes import has_new_address, is_admitted
from ..models import Account, MailToken

Purpose = MailToken.Purpose

MAILED_TOKEN = EdgeAlone("A mailed token has 256 random bits, so no one can guess it.")
"""The declaration of an operation whose only credential is a mailed token."""


@transaction_required
def issue_mail_token(
    *, account_id: Any | None, purpose: Purpose, address: str, now: datetime, lifetime: timedelta, live_max: int
) -> str:
    """Return a new raw token for the address. At most `live_max` - 1 older tokens of the account stay live.

    Only tokens with the same purpose count. Needs the lock on the account's row; otherwise concurrent
    requests could leave more live tokens. When `account_id` is None, `address` is a digest of an address without an
    account. The limit then applies to the tokens of that digest, and the token proves nothing. Needs a transaction.
    """
    live = _mailed(account_id=account_id, address=address).filter(purpose=purpose, spent_at=None)
    kept = live.order_by("-created_at", "-id").values_list("pk", flat=True)[: live_max - 1]
    live.exclude(pk__in=list(kept)).update(spent_at=now)
    token = new_token()
    MailToken.objects.create(
        account_id=account_id,
        purpose=purpose,
        digest=token.digest,
        address=address,
        created_at=now,
        expires_at=now + lifetime,
    )
    return token.raw


def get_mail_token(*, raw: str, purpose: Purpose, now: datetime) -> MailToken:
    """Return the live token and load its account and user. The call does not spend the token.

    Raises VerificationTokenInvalid when the token is unknown, spent, void or without an account. Raises it also when
    the account is deactivated, or a host project changed the user's address or password. Raises VerificationTokenExpired when
    the token has expired.
    """
    digest = find_digest(raw)
    rows = MailToken.objects.select_related("account__user").filter(digest=digest, purpose=purpose)
    token = rows.first() if digest else None
    if token is None or token.spent_at is not None:
        raise VerificationTokenInvalid
    account = account_of(token)
    if not is_admitted(account) or has_new_address(account):
        raise VerificationTokenInvalid
    if token.expires_at <= now:
        raise VerificationTokenExpired
    return token


def account_of(token: MailToken) -> Account:
    """Return the token's account. Raises VerificationTokenInvalid when the token has none.

    A request for an unknown address creates a token without an account.
    """
    if token.account is None:
        raise VerificationTokenInvalid
    return token.account


@transaction_required
def spend(token: MailToken, *, now: datetime) -> bool:
    """Spend the token and return True. Return False when the token is already spent or has expired.

    Of several concurrent callers with the same token, exactly one gets True. Needs a transaction.
    """
    live = MailToken.objects.filter(pk=token.pk, spent_at=None, expires_at__gt=now)
    return bool(live.update(spent_at=now))


@transaction_required
def void_mail_tokens(*, account_id: Any, now: datetime, purpose: Purpose | None = None) -> None:
    """Void the account's live tokens with the purpose, or all its live tokens when `purpose` is None.

    Needs a transaction.
    """
    rows = MailToken.objects.filter(account_id=account_id, spent_at=None)
    if purpose is not None:
        rows = rows.filter(purpose=purpose)
    rows.update(spent_at=now)


def _mailed(*, account_id: Any | None, address: str) -> QuerySet[MailToken]:
    rows = MailToken.objects.filter(account_id=account_id)
    return rows.filter(address=address) if account_id is None else rows
