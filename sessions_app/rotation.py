"""Refresh-token rotation: each token refreshes once, and one that comes back ends its session."""

from datetime import datetime

from accounts.core.db.transactions import write
from accounts.core.errors import RateLimited, ServiceError
from accounts.core.http.client import Client
from accounts.core.keys.opaque import find_digest
from accounts.events.audit import record
from accounts.events.vocabulary import EventType
from accounts.reconciliation import is_session_allowed

from .errors import InvalidToken, TokenReused
from .issuing import REFRESH_PREFIX, TokenPair, issue
from .models import Family
from .revocation import revoke_family
from .rotation_sql import Presented, find_presented, replace_token, wait_for_limit


def rotate(*, refresh_token: str, client: Client, now: datetime) -> TokenPair:
    """Exchange the family's current token for a new pair; the presented token never works again.

    Raises TokenReused for a token that was rotated before, which ends the whole family, and InvalidToken for one that
    is unknown, expired or revoked, or whose user a host project has deactivated or given another password. Of several
    callers with one token exactly one wins, and the others end the family. Raises RateLimited when the account has
    refreshed too often in all its sessions: the token stays valid. Only the current token of a live session counts
    towards that limit, and a rotated token ends its family in any case.
    """
    digest = find_digest(refresh_token, prefix=REFRESH_PREFIX)
    presented = find_presented(digest=digest, now=now) if digest else None
    if presented is None or not is_session_allowed(account_id=presented.account_id, now=now):
        raise InvalidToken
    if presented.was_rotated:
        raise _settle_loss(presented, client=client, now=now)
    if not presented.is_live:
        raise InvalidToken
    issued = issue(account_id=presented.account_id, now=now)
    if not replace_token(presented, issued, client=client, now=now):
        raise _settle_loss(presented, client=client, now=now)
    return issued.pair


@write
def _settle_loss(presented: Presented, *, client: Client, now: datetime) -> ServiceError | type[ServiceError]:
    """End the family of a token that is not the current one any more; return the error for its caller.

    A token that was replaced once is never current again, so that it does not matter how much later this comes.
    """
    family = Family.objects.filter(pk=presented.family_id).first()
    if family is None or (family.current_token_id == presented.token_id and family.revoked_at is not None):
        return InvalidToken
    if family.current_token_id == presented.token_id:
        return RateLimited(retry_after=wait_for_limit(presented, now=now))
    if revoke_family(family_id=presented.family_id, now=now):
        record(event=EventType.TOKEN_REUSE_DETECTED, user_id=str(presented.account_id), client=client, now=now)
    return TokenReused
