"""The end of sessions. An ended family never becomes live again.

Each act that ends sessions records SESSION_ENDED in its own transaction. A session that expires is no act, so it
records no event.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from accounts.lifecycle import AccountListener, SignOut, account_listeners
from accounts.models import Account
from accounts.state.lookup import get_signed_in_account, hold_signed_in_account
from accounts.state.mail_tokens import Purpose, void_mail_tokens
from core import clock
from core.clock import rfc3339
from core.conf import core_settings
from core.db import sql
from core.db.ids import parse_id
from core.db.transactions import transaction_required, write
from core.errors import NotFound
from core.http.client import Client
from core.keys.jwt import Caller
from events.audit import record
from events.vocabulary import EventType

from ..errors import SessionNotOwned
from ..models import Family, PendingLogin, Token

IDS_MAX = 100
"""The maximum number of session ids in one event."""

# The event of the act, such as LOGOUT, has the client. The cause says which event that is.
_NO_CLIENT = Client(ip="", user_agent="")

_REVOKE_SQL = f"""
    UPDATE {Family._meta.db_table} SET revoked_at = %s WHERE revoked_at IS NULL AND {{condition}}
    RETURNING id, current_token_id, idle_expires_at > %s AND absolute_expires_at > %s
"""  # noqa: S608 - only constants are interpolated


class Cause(StrEnum):
    """The acts that end sessions. The values are in the metadata of events, so never rename one."""

    LOGOUT = "logout"
    LOGOUT_ALL = "logout_all"
    SESSION_REVOKED = "session_revoked"
    TOKEN_REUSED = "token_reused"  # noqa: S105 - a cause's name
    PASSWORD_CHANGED = "password_changed"  # noqa: S105 - a cause's name
    ACCOUNT_TAKEN_OVER = "account_taken_over"
    ACCOUNT_DELETED = "account_deleted"
    OPERATOR_REVOKED = "operator_revoked"
    APPLICATION_ENDED = "application_ended"
    EMAIL_CHANGE_UNDONE = "email_change_undone"
    DATABASE_RESTORED = "database_restored"
    MAX_SESSIONS = "max_sessions"
    ACCOUNT_DEACTIVATED = SignOut.DEACTIVATION.value
    PASSWORD_RESET_REQUIRED = SignOut.REQUIRED_RESET.value
    OPERATOR_SIGNED_OUT = SignOut.OPERATOR.value


@transaction_required
def revoke_families(*, account_id: Any, family_ids: Sequence[UUID], cause: Cause, now: datetime) -> int:
    """End these families of the account, record the end, and return how many this call ended."""
    placeholders = ", ".join(["%s"] * len(family_ids)) or "NULL"
    return _revoke(f"id IN ({placeholders})", family_ids, account_id=account_id, cause=cause, now=now)


@transaction_required
def revoke_suspect_family(*, account_id: Any, family_id: UUID, cause: Cause, now: datetime) -> bool:
    """End the family, void the account's pending e-mail change, and return whether this call ended the family.

    Call it for a session that an attacker may have used. Otherwise the attacker could complete a change of address that
    they requested before. When the family has already ended, the call changes nothing.
    """
    # The lock order is account, family, token. A change of the password holds the account's row while it ends families
    # and voids tokens. So the two cannot deadlock.
    list(Account.objects.select_for_update(no_key=True).filter(pk=account_id).values_list("pk"))
    if not revoke_families(account_id=account_id, family_ids=[family_id], cause=cause, now=now):
        return False
    void_mail_tokens(account_id=account_id, purpose=Purpose.EMAIL_CHANGE, now=now)
    return True


@transaction_required
def revoke_all(*, account_id: Any, cause: Cause, now: datetime) -> int:
    """End every family of the account, record the end, and return how many this call ended."""
    return _revoke("account_id = %s", [account_id], account_id=account_id, cause=cause, now=now)


@transaction_required
def _revoke(condition: str, parameters: Sequence[Any], *, account_id: Any, cause: Cause, now: datetime) -> int:
    """End the families that meet the SQL condition, record the end, and return how many this call ended.

    The events list each id that a valid access token can have as its `jti`. They also list the present id of each live
    session. An event has at most IDS_MAX ids.
    """
    ended = sql.fetch_all(_REVOKE_SQL.format(condition=condition), (now, *parameters, now, now))
    lifetime = timedelta(seconds=core_settings().access_token_seconds)
    # This is a statement of its own, because the UPDATE may have waited for a rotation. It sees the token that the
    # rotation has added.
    tokens = Token.objects.filter(family__in=[sql.to_uuid(row[0]) for row in ended], created_at__gt=now - lifetime)
    issued = dict(tokens.order_by("-created_at", "-pk").values_list("pk", "created_at"))
    current = [sql.to_uuid(token_id) for _, token_id, was_live in ended if was_live]
    ids = [str(token_id) for token_id in dict.fromkeys([*current, *issued])]
    # When no row is left, every access token of these sessions has expired by now.
    last_expiry = max(issued.values()) + lifetime if issued else now
    for first in range(0, len(ids), IDS_MAX):
        record(
            event=EventType.SESSION_ENDED,
            user_id=str(account_id),
            client=_NO_CLIENT,
            # The events of one act have different times, so that a list of them can be divided at each time.
            now=now + timedelta(microseconds=first // IDS_MAX),
            metadata={"cause": cause, "session_ids": ids[first : first + IDS_MAX], "last_expiry": rfc3339(last_expiry)},
        )
    if ids:
        for listener in account_listeners:
            listener.session_ended(account_id=account_id, session_ids=ids, cause=cause, now=now)
    return len(ended)


def end_sessions_of(*, instance: Account, **_: Any) -> None:
    """End every session of the account that is about to be deleted.

    Receiver of Django's signal `pre_delete`, for a host project that deletes its user without a call of the service.
    Django sends the signal in the transaction of the deletion.
    """
    revoke_all(account_id=instance.pk, cause=Cause.ACCOUNT_DELETED, now=clock.now())


@transaction_required
def expire_pending_logins(*, account_id: Any, now: datetime) -> None:
    """End the logins that wait for a second factor. The worker still reports suspicious ones. Needs a transaction."""
    PendingLogin.objects.filter(account_id=account_id, consumed_at=None, expires_at__gt=now).update(expires_at=now)


@transaction_required
def void_pending_logins(*, account_id: Any) -> None:
    """Void every login of the account that waits for a second factor."""
    PendingLogin.objects.filter(account_id=account_id).delete()


def end_session(*, caller: Caller, session_id: str, event: EventType, client: Client, now: datetime) -> None:
    """End a session of the caller. `session_id` is the id of any token row of that session.

    With SESSION_REVOKED as the event, the call also voids the account's pending e-mail change. Does nothing when the
    session has already ended. Raises InvalidAccessToken when the session of the caller has ended: a stolen token must
    not end the sessions of the owner who signed out. Raises NotFound when no session has this id, and SessionNotOwned
    when the session belongs to another account.
    """
    account = get_signed_in_account(caller=caller, now=now)
    token_id = parse_id(session_id)
    token = Token.objects.select_related("family").filter(pk=token_id).first() if token_id else None
    if token is None:
        raise NotFound
    if token.family.account_id != account.pk:
        raise SessionNotOwned
    _end(token.family, event=event, client=client, now=now)


def end_family(*, family_id: UUID, client: Client, now: datetime) -> None:
    """End the family as a logout. When a login that would open the family waits for a second factor, void the login.

    Does nothing when the family has ended or does not exist. Opens its own transactions.
    """
    # No login can open the family after this commit. So the query finds the family of a login that came first.
    _void_pending_login(family_id)
    family = Family.objects.filter(pk=family_id).first()
    if family is not None:
        _end(family, event=EventType.LOGOUT, client=client, now=now)


@write
def end_all_sessions(*, caller: Caller, client: Client, now: datetime) -> None:
    """End every session of the caller, including the session of this request, and void a pending e-mail change.

    Otherwise an attacker could complete a change of address that they requested before this call. Raises
    InvalidAccessToken when the session of the caller has ended, or the account does not exist or is no longer admitted.
    """
    # Lock the account's row. Otherwise a concurrent deletion could clear the IP addresses of the account's events
    # before this event is visible to it.
    account = hold_signed_in_account(caller=caller, now=now)
    revoke_all(account_id=account.pk, cause=Cause.LOGOUT_ALL, now=now)
    void_mail_tokens(account_id=account.pk, purpose=Purpose.EMAIL_CHANGE, now=now)
    record(event=EventType.LOGOUT_ALL, user_id=caller.user_id, client=client, now=now)


@write
def _void_pending_login(family_id: UUID) -> None:
    PendingLogin.objects.filter(pk=family_id).delete()


@write
def _end(family: Family, *, event: EventType, client: Client, now: datetime) -> None:
    account_id = family.account_id
    if event is EventType.SESSION_REVOKED:
        is_ended = revoke_suspect_family(
            account_id=account_id, family_id=family.pk, cause=Cause.SESSION_REVOKED, now=now
        )
    else:
        is_ended = bool(revoke_families(account_id=account_id, family_ids=[family.pk], cause=Cause.LOGOUT, now=now))
    if is_ended:
        record(event=event, user_id=str(account_id), client=client, now=now)


class EndSessions(AccountListener):
    """Listener that ends an account's sessions when the account changes. It runs in the transaction of the change."""

    def credentials_changed(self, *, account_id: Any, now: datetime) -> None:
        """End every session and every pending login, because the password changed."""
        revoke_all(account_id=account_id, cause=Cause.PASSWORD_CHANGED, now=now)
        expire_pending_logins(account_id=account_id, now=now)

    def account_locked(self, *, account_id: Any, now: datetime) -> None:
        """Void the account's pending logins. Live sessions stay.

        Otherwise an attacker could end the owner's sessions with wrong passwords.
        """
        expire_pending_logins(account_id=account_id, now=now)

    def account_signed_out(self, *, account_id: Any, act: SignOut, now: datetime) -> None:
        """End every session and every pending login, because an operator ordered it."""
        revoke_all(account_id=account_id, cause=Cause(act), now=now)
        void_pending_logins(account_id=account_id)

    def account_taken_over(self, *, account_id: Any, now: datetime) -> None:
        """End every session and every pending login. Another person may have started them."""
        revoke_all(account_id=account_id, cause=Cause.ACCOUNT_TAKEN_OVER, now=now)
        void_pending_logins(account_id=account_id)

    def address_restored(self, *, account_id: Any, added_from: datetime, now: datetime) -> None:
        """End every session and every pending login. The person who changed the address may have started them."""
        revoke_all(account_id=account_id, cause=Cause.EMAIL_CHANGE_UNDONE, now=now)
        void_pending_logins(account_id=account_id)

    def before_account_deleted(self, *, account_id: Any, now: datetime) -> None:
        """End every session. The foreign keys delete the rows."""
        # A concurrent rotation locks its family's row. This call waits for that lock, so the cascade sees the token
        # that the rotation adds. A token added after the cascade would break its foreign key, and the deletion would
        # fail.
        revoke_all(account_id=account_id, cause=Cause.ACCOUNT_DELETED, now=now)
