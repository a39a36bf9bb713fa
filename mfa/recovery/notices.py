"""Mails that notify an account owner of recovery codes and of a recovery."""

from collections.abc import Mapping
from datetime import datetime

from accounts.host import users
from accounts.models import Account
from core.db.transactions import transaction_required
from core.http.client import Client
from mail.compose import MailTemplate, MailValue, enqueue


@transaction_required
def notify_owner(
    *, account: Account, template: MailTemplate, values: Mapping[str, MailValue], client: Client, now: datetime
) -> None:
    """Queue a mail to the account owner about the change. It is sent only if the transaction commits.

    The mail states time, device and place.
    """
    enqueue(
        template=template,
        to=users.email_of(account.user),
        account_id=account.pk,
        values=values,
        client=client,
        now=now,
    )
