"""Takeover of an account by the owner of its mailbox.

Any person can sign up with another person's address. Until the address is proven, the account may belong to such a
person. The first reader of the mailbox therefore gets an account without anything that existed before.
"""

from datetime import datetime
from typing import Any

from django.contrib.auth.hashers import make_password

from core.db.transactions import transaction_required
from core.http.client import Client
from events.audit import record
from events.vocabulary import EventType
from mail.compose import MailTemplate, enqueue

from ..host import users
from ..lifecycle import account_listeners, factor_stores
from ..models import Account
from ..state.mail_tokens import void_mail_tokens
from ..state.proven_addresses import list_inventory


def keeps_factors(*, account_id: Any) -> bool:
    """Return whether the account has a second factor and once had a proven address.

    The mailbox alone does not take such an account over.

    An attacker with a stolen access token can move such an account to an address of their own. A takeover by the new
    mailbox would then remove the second factors of the account owner.
    """
    if not Account.objects.filter(pk=account_id, was_proven=True).exists():
        return False
    return any(store.has_factor(account_id=account_id) for store in factor_stores)


@transaction_required
def take_over(*, account_id: Any, client: Client, now: datetime) -> None:
    """Void the password and everything else that gives access to the account, and record its address as proven.

    Sessions, pending logins, ceremonies, second factors, recovery codes, API keys and mailed tokens end. Metadata and
    audit events stay. The address gets a mail that lists the sessions, factors and keys that ended.

    The caller has proven the mailbox of an address that was never proven. It has superseded the account's epoch in the
    same transaction, so it holds the account's row. Needs a transaction.
    """
    account = Account.objects.select_related("user").get(pk=account_id)
    holdings = list_inventory(account_id=account_id, client=client, now=now)
    # Django's own form of an unusable password. A host project recognizes the form too.
    users.set_password_hash(account_id=account_id, password_hash=make_password(None))
    void_mail_tokens(account_id=account_id, now=now)
    for listener in account_listeners:
        listener.account_taken_over(account_id=account_id, now=now)
    Account.objects.filter(pk=account_id).update(email_proven_at=now)
    record(event=EventType.ACCOUNT_TAKEN_OVER, user_id=str(account_id), client=client, now=now)
    enqueue(
        template=MailTemplate.ACCOUNT_TAKEN_OVER,
        to=users.email_of(account.user),
        account_id=account_id,
        values={"holdings": holdings},
        client=client,
        now=now,
    )
