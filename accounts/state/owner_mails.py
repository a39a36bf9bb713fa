"""Mails that notify an account owner, for code that has not loaded the account."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from core.db.transactions import transaction_required
from core.http.client import Client
from mail.compose import MailTemplate, MailValue, enqueue, is_sent

from ..host import users
from ..models import Account


@transaction_required
def mail_owner(
    *, account_id: Any, template: MailTemplate, values: Mapping[str, MailValue], client: Client, now: datetime
) -> None:
    """Queue the mail to the account's present address. Runs no statement for a mail that the deployment does not send.

    Needs a transaction.
    """
    if not is_sent(template=template):
        return
    account = Account.objects.select_related("user").get(pk=account_id)
    enqueue(
        template=template,
        to=users.email_of(account.user),
        account_id=account_id,
        values=values,
        client=client,
        now=now,
    )
