"""Tokens that are mailed: random, single use, stored as a digest, and void as soon as what they prove has changed."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from .core.db.transactions import join
from .core.keys.opaque import find_digest, new_token
from .errors import VerificationTokenExpired, VerificationTokenInvalid
from .host_changes import has_new_address, is_admitted
from .models import Account, MailToken

Purpose = MailToken.Purpose


@join
def issue_mail_token(
    *, account_id: Any | None, purpose: Purpose, address: str, now: datetime, lifetime: timedelta, live_max: int
) -> str:
    """Return a new raw token for the address; of the account's older ones at most `live_max` - 1 stay live.

    The caller holds the account's row, so that two requests at once cannot leave more. Without an account `address` is a
    digest of the address, its older tokens count, and the token proves nothing.
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
    """Return the live token, with its account and user; it is not spent by looking.

    Raises VerificationTokenInvalid when it is unknown, spent or void, VerificationTokenExpired when it is too old. It
    is void, too, once a host project shut the user out or gave the user another address or password.
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
    """Return the token's account. Raises VerificationTokenInvalid for a token that was mailed to no one."""
    if token.account is None:
        raise VerificationTokenInvalid
    return token.account


@join
def spend(token: MailToken, *, now: datetime) -> bool:
    """Spend the token; of several callers with one token exactly one is told True."""
    live = MailToken.objects.filter(pk=token.pk, spent_at=None, expires_at__gt=now)
    return bool(live.update(spent_at=now))


@join
def void_mail_tokens(*, account_id: Any, now: datetime, purpose: Purpose | None = None) -> None:
    """Void the account's live tokens, of one purpose or of all."""
    rows = MailToken.objects.filter(account_id=account_id, spent_at=None)
    if purpose is not None:
        rows = rows.filter(purpose=purpose)
    rows.update(spent_at=now)


def _mailed(*, account_id: Any | None, address: str) -> QuerySet[MailToken]:
    rows = MailToken.objects.filter(account_id=account_id)
    return rows.filter(address=address) if account_id is None else rows
