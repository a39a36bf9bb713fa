"""Deletion of an account."""

from datetime import datetime

from core.db.transactions import transaction_required, write
from core.http.client import Client
from core.keys.jwt import Caller
from events.audit import record
from events.models import Event
from events.vocabulary import EventType
from events.webhooks.delivery import forget_deliveries
from mail.compose import MailTemplate, enqueue
from mail.languages import find_language

from ..host import users
from ..lifecycle import account_listeners
from ..models import Account
from ..proofs.credentials import Proof, confirm_password
from ..state.epochs import CredentialsEpoch
from ..state.lookup import hold_signed_in_account

_NO_CLIENT = Client(ip="", user_agent="")


def delete_account(*, caller: Caller, current_password: str, client: Client, now: datetime) -> None:
    """Delete the account and all that belongs to it, and queue a mail to its owner.

    The account's audit events stay, with empty `ip` and `user_agent`. Webhook deliveries that are not finished also
    stay, unchanged, for the usual retention. Finished deliveries are deleted.

    Raises InvalidCredentials when the password is wrong or the account is locked. Raises InvalidAccessToken when the
    session has ended. Raises it also when the account was deleted or locked, or its password changed, during the
    password check. Raises AccountInUse, and deletes nothing, when rows of a host project protect the user. Raises
    RateLimited as `confirm_password` does. Opens its own transactions.
    """
    proof = confirm_password(caller=caller, password=current_password, client=client, now=now)
    _delete(caller, proof, client=client, now=now)


@write
def _delete(caller: Caller, proof: Proof, *, client: Client, now: datetime) -> None:
    delete_held(hold_signed_in_account(caller=caller, epoch=proof.epoch, now=now), client=client, now=now)


@transaction_required
def delete_held(account: Account, *, client: Client, now: datetime) -> None:
    """Delete the account and all that belongs to it as `delete_account` does, and queue the mail to its owner.

    Raises AccountInUse as `delete_account` does. Needs the lock on the account's row. Needs a transaction.
    """
    user_id, email = str(account.pk), users.email_of(account.user)
    CredentialsEpoch.of(account).supersede(now=now)
    for listener in account_listeners:
        listener.before_account_deleted(account_id=account.pk, now=now)
    Event.objects.filter(user_id=user_id).update(ip="", user_agent="")
    forget_deliveries(user_id=user_id)
    record(event=EventType.ACCOUNT_DELETED, user_id=user_id, client=_NO_CLIENT, now=now)
    language = find_language(account_id=account.pk, client=client)
    users.delete_user(account_id=account.pk)
    enqueue(
        template=MailTemplate.ACCOUNT_DELETED,
        to=email,
        account_id=None,
        values={},
        client=client,
        now=now,
        language=language,
    )
