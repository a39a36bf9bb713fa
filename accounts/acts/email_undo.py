"""Undo of a changed e-mail address by the link in the notice to the old address."""

from datetime import datetime, timedelta

from django.contrib.auth.hashers import make_password
from django.db.models import Q

from core.addresses import email_key
from core.db.transactions import transaction_required, write
from core.http.client import Client
from events.audit import record
from events.models import Event
from events.vocabulary import EventType
from mail.compose import MailTemplate, enqueue, is_sent

from ..errors import UserExists, VerificationTokenInvalid
from ..host import users
from ..lifecycle import account_listeners
from ..models import Account, UndoLink
from ..state.epochs import CredentialsEpoch
from ..state.lookup import host_conflict
from ..state.mail_tokens import void_mail_tokens
from ..state.reconciliation import free_address
from ..state.undo_links import LIFETIME, get_undo_link, issue_undo_link, spend_undo_link

ADDED_BEFORE = timedelta(days=1)
"""The time before a change in which added credentials also end at its undo.

An attacker can add a credential first and change the address afterwards.
"""

_BY_MAILBOX = Q(type__in=(EventType.ACCOUNT_TAKEN_OVER, EventType.RECOVERY_COMPLETED)) | Q(
    type=EventType.PASSWORD_CHANGED, metadata__method="password_reset"
)


@transaction_required
def offer_undo(*, account: Account, now: datetime) -> str:
    """Return a new raw token that undoes the change of this account's address, or "" when the change gets no link.

    `account` is the row from before the change. There is no link when the old address was never proven. There is none
    when its mailbox opened the account within the lifetime of a link: by a takeover, a reset of the password or a
    recovery. There is none when the deployment does not mail the notice. Needs a transaction.
    """
    if account.email_proven_at is None or not is_sent(template=MailTemplate.EMAIL_CHANGED_NOTICE):
        return ""
    recent = Event.objects.filter(_BY_MAILBOX, user_id=str(account.pk), created_at__gt=now - LIFETIME)
    if recent.exists():
        return ""
    address = users.email_of(account.user)
    return issue_undo_link(account_id=account.pk, address=address, added_from=now - ADDED_BEFORE, now=now)


def undo_email_change(*, token: str, client: Client, now: datetime) -> None:
    """Restore the address that the token's notice reported as changed.

    All sessions, pending logins and mailed tokens end. The password becomes unusable. Second factors, recovery codes,
    identities and API keys end that were added since ADDED_BEFORE before the change. Older ones stay. The restored
    address is proven.

    Raises VerificationTokenInvalid and VerificationTokenExpired as `get_undo_link` does. Raises VerificationTokenInvalid
    also when a concurrent call spent the token or changed the account's credentials. Raises UserExists when another user
    has the address; the token then stays valid. Opens its own transaction.
    """
    link = get_undo_link(raw=token, now=now)
    with host_conflict(address=link.address, now=now):
        if not _undo(link, client=client, now=now):
            raise VerificationTokenInvalid


@write
def _undo(link: UndoLink, *, client: Client, now: datetime) -> bool:
    account = link.account
    if not CredentialsEpoch.of(account).supersede(now=now) or not spend_undo_link(link, now=now):
        return False
    present = users.email_of(account.user)
    key = email_key(link.address)
    if email_key(present) != key and users.is_address_used(email=link.address):
        raise UserExists
    free_address(address=link.address, now=now)
    Account.objects.filter(pk=account.pk).update(email_key=key, email_proven_at=now, was_proven=True)
    users.set_email(account_id=account.pk, email=link.address)
    users.set_password_hash(account_id=account.pk, password_hash=make_password(None))
    void_mail_tokens(account_id=account.pk, now=now)
    for listener in account_listeners:
        listener.address_restored(account_id=account.pk, added_from=link.added_from, now=now)
    enqueue(
        template=MailTemplate.EMAIL_CHANGED_NOTICE,
        to=present,
        account_id=account.pk,
        values={"new_email": link.address, "token": ""},
        client=client,
        now=now,
    )
    record(event=EventType.EMAIL_CHANGE_UNDONE, user_id=str(account.pk), client=client, now=now)
    return True
