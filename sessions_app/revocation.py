"""Ending sessions. An ended family never comes back."""

from datetime import datetime
from typing import Any
from uuid import UUID

from accounts.core.db.ids import parse_id
from accounts.core.db.transactions import join, write
from accounts.core.errors import NotFound
from accounts.core.http.client import Client
from accounts.credentials import get_account, hold_account
from accounts.events.audit import record
from accounts.events.vocabulary import EventType
from accounts.mail_tokens import Purpose, void_mail_tokens

from .errors import SessionNotOwned
from .models import Family, PendingLogin, Token


@join
def revoke_family(*, family_id: UUID, now: datetime) -> bool:
    """End the family; return whether it was this call that did."""
    return bool(Family.objects.filter(pk=family_id, revoked_at=None).update(revoked_at=now))


@join
def revoke_all(*, account_id: Any, now: datetime) -> int:
    """End every family of the account; return how many this call ended."""
    return Family.objects.filter(account_id=account_id, revoked_at=None).update(revoked_at=now)


@join
def void_pending_logins(*, account_id: Any) -> None:
    """Void every login of the account that waits for a second factor."""
    PendingLogin.objects.filter(account_id=account_id).delete()


def end_session(*, user_id: str, session_id: str, event: EventType, client: Client, now: datetime) -> None:
    """End the caller's session that the id, of any of its rows, names; one that has ended already is no error.

    Raises NotFound when there is none and SessionNotOwned when it is somebody else's.
    """
    account = get_account(user_id=user_id)
    token_id = parse_id(session_id)
    token = Token.objects.select_related("family").filter(pk=token_id).first() if token_id else None
    if token is None:
        raise NotFound
    if token.family.account_id != account.pk:
        raise SessionNotOwned
    _end(family_id=token.family_id, user_id=user_id, event=event, client=client, now=now)


@write
def end_all_sessions(*, user_id: str, client: Client, now: datetime) -> None:
    """End every session of the caller, the calling one included, and void the e-mail change that waits.

    An attacker who is signed out this way must not complete a change of address that they asked for before. Raises
    InvalidAccessToken when the account is gone.
    """
    # Held, or a deletion under way would blank the addresses of its events before this one is among them.
    account = hold_account(user_id=user_id)
    revoke_all(account_id=account.pk, now=now)
    void_mail_tokens(account_id=account.pk, purpose=Purpose.EMAIL_CHANGE, now=now)
    record(event=EventType.LOGOUT_ALL, user_id=user_id, client=client, now=now)


@write
def _end(*, family_id: UUID, user_id: str, event: EventType, client: Client, now: datetime) -> None:
    if revoke_family(family_id=family_id, now=now):
        record(event=event, user_id=user_id, client=client, now=now)


class EndSessions:
    """What a change of an account does to its sessions; the account's life calls it in its own transaction."""

    def credentials_changed(self, *, account_id: Any, now: datetime) -> None:
        """End every session and every pending login: none is worth anything after a change of password or address."""
        revoke_all(account_id=account_id, now=now)
        void_pending_logins(account_id=account_id)

    def account_locked(self, *, account_id: Any, now: datetime) -> None:
        """Void pending logins; sessions that live go on, or a stranger could end them by guessing wrong."""
        void_pending_logins(account_id=account_id)

    def before_account_deleted(self, *, account_id: Any, now: datetime) -> None:
        """End every session; the foreign keys take the rows along."""
        # A rotation in flight holds its family's row. Waiting for it here lets the cascade see the token that it adds:
        # one that came after the cascade had passed would leave a broken foreign key, and the deletion would fail.
        revoke_all(account_id=account_id, now=now)
