"""Knowing that an account's address is read by its owner."""

from datetime import datetime
from typing import Any

from .core.db.transactions import join
from .core.http.client import Client
from .lifecycle import inventories
from .mail.compose import MailTemplate, enqueue
from .models import Account


@join
def prove_address(*, account_id: Any, address: str, client: Client, now: datetime) -> None:
    """Note that somebody who reads the mailbox acted; the first time, mail them what the account holds.

    Whoever signed up with somebody else's address may have left sessions, factors and keys in the account: its true
    owner learns of them here.
    """
    if not Account.objects.filter(pk=account_id, email_proven_at=None).update(email_proven_at=now):
        return
    holdings = [line for inventory in inventories for line in inventory.describe(account_id=account_id, now=now)]
    enqueue(
        template=MailTemplate.FIRST_PROOF,
        to=address,
        account_id=account_id,
        # A line each, whatever a name that somebody else chose may hold.
        values={"holdings": "\n".join(" ".join(line.split()) for line in holdings)},
        client=client,
        now=now,
    )
