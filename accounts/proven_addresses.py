"""The record that the account owner reads the mailbox of the account's address."""

from datetime import datetime
from typing import Any

from .core.db.transactions import transaction_required
from .core.http.client import Client
from .lifecycle import inventories
from .mail.compose import MailTemplate, enqueue
from .models import Account


@transaction_required
def prove_address(*, account_id: Any, address: str, client: Client, now: datetime) -> None:
    """Store `now` as the time of the first proof of the address.

    The first proof also queues a mail with a list of the sessions, factors and keys that the account holds. An attacker
    can sign up with another person's address and leave such credentials in the account. The mail shows these to the
    owner of the mailbox. Later calls change nothing. Runs in the caller's transaction.
    """
    if not Account.objects.filter(pk=account_id, email_proven_at=None).update(email_proven_at=now):
        return
    holdings = [line for inventory in inventories for line in inventory.describe(account_id=account_id, now=now)]
    enqueue(
        template=MailTemplate.FIRST_PROOF,
        to=address,
        account_id=account_id,
        # Each entry must stay one line, although an attacker may have chosen a name in it that holds line breaks.
        values={"holdings": "\n".join(" ".join(line.split()) for line in holdings)},
        client=client,
        now=now,
    )
