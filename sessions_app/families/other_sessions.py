"""The end of all sessions of a caller but the caller's own."""

from datetime import datetime

from accounts.state.lookup import hold_signed_in_account
from accounts.state.mail_tokens import Purpose, void_mail_tokens
from core.db.transactions import write
from core.http.client import Client
from core.keys.jwt import Caller
from events.audit import record
from events.vocabulary import EventType

from ..models import Family
from .queries import FamilySessions
from .revocation import Cause, revoke_families


@write
def end_other_sessions(*, caller: Caller, client: Client, now: datetime) -> int:
    """End every session of the account except the caller's, and return how many this call ended.

    The call also voids a pending e-mail change, because an attacker in one of these sessions can have requested it.
    Raises InvalidAccessToken when the session of the caller has ended. Opens its own transaction.
    """
    account = hold_signed_in_account(caller=caller, now=now)
    own = FamilySessions().find_family(token_id=caller.token_id, account_id=account.pk, now=now)
    live = Family.objects.filter(account=account).live(now).values_list("pk", flat=True)
    others = [family_id for family_id in live if family_id != own]
    if not revoke_families(account_id=account.pk, family_ids=others, cause=Cause.SESSION_REVOKED, now=now):
        return 0
    void_mail_tokens(account_id=account.pk, purpose=Purpose.EMAIL_CHANGE, now=now)
    record(event=EventType.SESSION_REVOKED, user_id=caller.user_id, client=client, now=now)
    return len(others)
