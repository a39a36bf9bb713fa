"""The record that the account owner reads the mailbox of the account's address."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Case, F, When
from django.utils import translation

from core.db.transactions import transaction_required
from core.http.client import Client
from mail.compose import MailTemplate, enqueue
from mail.languages import find_language

from ..lifecycle import inventories
from ..models import Account


def is_address_proven(*, account_id: Any) -> bool:
    """Return whether the account's address has been proven. The call reads the row anew."""
    return Account.objects.filter(pk=account_id, email_proven_at__isnull=False).exists()


def forgotten_proof() -> Mapping[str, Any]:
    """Return the columns of an account whose address changes, for `update()`: the new address is unproven."""
    return {
        "email_proven_at": None,
        "was_proven": Case(When(email_proven_at__isnull=False, then=True), default=F("was_proven")),
    }


@transaction_required
def prove_address(*, account_id: Any, address: str, client: Client, now: datetime) -> None:
    """Store `now` as the time of the first proof of the address.

    The caller has checked that the account belongs to the reader of the mailbox. The first proof also queues a mail
    with a list of the sessions, factors and keys that the account has. Later calls change nothing. Needs a transaction.
    """
    if not Account.objects.filter(pk=account_id, email_proven_at=None).update(email_proven_at=now):
        return
    enqueue(
        template=MailTemplate.FIRST_PROOF,
        to=address,
        account_id=account_id,
        values={"holdings": list_inventory(account_id=account_id, client=client, now=now)},
        client=client,
        now=now,
    )


def list_inventory(*, account_id: Any, client: Client, now: datetime) -> list[str]:
    """Return one line for each session, factor and key of the account, in the language of its owner's mails."""
    with translation.override(find_language(account_id=account_id, client=client)):
        return [line for inventory in inventories for line in inventory.describe(account_id=account_id, now=now)]
