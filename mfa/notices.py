"""Telling an account's owner, by mail, what happened to the factors."""

from collections.abc import Mapping
from datetime import datetime

from accounts import users
from accounts.core.db.transactions import join
from accounts.core.http.client import Client
from accounts.mail.compose import MailTemplate, enqueue
from accounts.models import Account


@join
def tell_owner(
    *, account: Account, template: MailTemplate, values: Mapping[str, str], client: Client, now: datetime
) -> None:
    """Mail the account's address what happened, with time, device and place, if the transaction commits."""
    enqueue(
        template=template,
        to=users.email_of(account.user),
        account_id=account.pk,
        values=values,
        client=client,
        now=now,
    )
