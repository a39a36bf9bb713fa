"""The end of sessions. An ended family never becomes live again."""

from datetime import datetime
from typing import Any
from uuid import UUID

from accounts.core.db.ids import parse_id
from accounts.core.db.transactions import transaction_required, write
from accounts.core.errors import NotFound
from accounts.core.http.client import Client
from accounts.events.audit import record
from accounts.events.vocabulary import EventType
from accounts.lifecycle import AccountListener
from accounts.lookup import get_own_account, hold_own_account
from accounts.mail_tokens import Purpose, void_mail_tokens
from accounts.models import Account

from .errors import SessionNotOwned
from .models import Family, PendingLogin, Token


@transaction_required
def revoke_family(*, family_id: UUID, now: datetime) -> bool:
    """End the family, and return whether this call ended it."""
    return bool(Family.objects.filter(pk=family_id, revoked_at=None).update(revoked_at=now))


@transaction_required
def revoke_suspect_family(*, account_id: Any, family_id: UUID, now: datetime) -> bool:
    """End the family, void the account's pending e-mail change, and return whether this call ended the family.

    Call it for a session that an attacker may have used. Otherwise the attacker could complete a change of address that
    they requested before. When the family has already ended, the call changes nothing.
    """
    # The lock order is account, family, token. A change of the password holds the account's row while it ends families
    # and voids tokens, so the two cannot deadlock.
    list(Account.objects.select_for_update(no_key=True).filter(pk=account_id).values_list("pk"))
    if not revoke_family(family_id=family_id, now=now):
        return False
    void_mail_tokens(account_id=account_id, purpose=Purpose.EMAIL_CHANGE, now=now)
    return True


@transaction_required
def revoke_all(*, account_id: Any, now: datetime) -> int:
    """End every live family of the account, and return how many this call ended."""
    return Family.objects.filter(account_id=account_id, revoked_at=None).update(revoked_at=now)


@transaction_required
def void_pending_logins(*, account_id: Any) -> None:
    """Void every login of the account that waits for a second factor."""
    PendingLogin.objects.filter(account_id=account_id).delete()


def end_session(*, user_id: str, session_id: str, event: EventType, client: Client, now: datetime) -> None:
    """End the caller's session. `session_id` is the id of any token row of that session.

    With SESSION_REVOKED as the event, the call also voids the account's pending e-mail change. Does nothing when the
    session has already ended. Raises NotFound when no session has this id, and SessionNotOwned when the session belongs
    to another account.
    """
    account = get_own_account(user_id=user_id)
    token_id = parse_id(session_id)
    token = Token.objects.select_related("family").filter(pk=token_id).first() if token_id else None
    if token is None:
        raise NotFound
    if token.family.account_id != account.pk:
        raise SessionNotOwned
    _end(token.family, event=event, client=client, now=now)


@write
def end_all_sessions(*, user_id: str, client: Client, now: datetime) -> None:
    """End every session of the caller, including the session of this request, and void a pending e-mail change.

    Otherwise an attacker could complete a change of address that they requested before this call. Raises
    InvalidAccessToken when the account does not exist or is no longer admitted.
    """
    # Lock the account's row. Otherwise a concurrent deletion could clear the IP addresses of the account's events
    # before this event is visible to it.
    account = hold_own_account(user_id=user_id)
    revoke_all(account_id=account.pk, now=now)
    void_mail_tokens(account_id=account.pk, purpose=Purpose.EMAIL_CHANGE, now=now)
    record(event=EventType.LOGOUT_ALL, user_id=user_id, client=client, now=now)


@write
def _end(family: Family, *, event: EventType, client: Client, now: datetime) -> None:
    if event is EventType.SESSION_REVOKED:
        is_ended = revoke_suspect_family(account_id=family.account_id, family_id=family.pk, now=now)
    else:
        is_ended = revoke_family(family_id=family.pk, now=now)
    if is_ended:
        record(event=event, user_id=str(family.account_id), client=client, now=now)


class EndSessions(AccountListener):
    """Listener that ends an account's sessions when the account changes. It runs in the transaction of the change."""

    def credentials_changed(self, *, account_id: Any, now: datetime) -> None:
        """End every session and every pending login, because the password or the address changed."""
        revoke_all(account_id=account_id, now=now)
        void_pending_logins(account_id=account_id)

    def account_locked(self, *, account_id: Any, now: datetime) -> None:
        """Void the account's pending logins. Live sessions stay.

        Otherwise an attacker could end the owner's sessions with wrong passwords.
        """
        void_pending_logins(account_id=account_id)

    def account_taken_over(self, *, account_id: Any, now: datetime) -> None:
        """End every session and every pending login. Another person may have started them."""
        revoke_all(account_id=account_id, now=now)
        void_pending_logins(account_id=account_id)

    def before_account_deleted(self, *, account_id: Any, now: datetime) -> None:
        """End every session. The foreign keys delete the rows."""
        # A concurrent rotation locks its family's row. This call waits for that lock, so the cascade sees the token
        # that the rotation adds. A token added after the cascade would break its foreign key, and the deletion would
        # fail.
        revoke_all(account_id=account_id, now=now)
