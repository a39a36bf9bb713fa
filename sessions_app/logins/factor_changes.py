"""Changes of an account's second factors: their events, their mails to the account owner, and the removal of all."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from accounts.host import users
from accounts.lifecycle import AccountListener
from accounts.models import Account
from accounts.state.epochs import CredentialsEpoch
from core import clock
from core.db.transactions import transaction_required
from core.http.client import Client
from events.audit import record
from mail.compose import MailTemplate, enqueue

from ..families.revocation import void_pending_logins
from ..models import DISTANT_PAST
from .second_factors import SecondFactor, second_factors

_NO_CLIENT = Client(ip="", user_agent="")


@transaction_required
def record_enrolled(
    *,
    factor: SecondFactor,
    user: AbstractBaseUser,
    client: Client,
    now: datetime,
    wording: str | Promise = "",
    metadata: Mapping[str, Any] | None = None,
) -> None:
    """Record that the account has the factor, and mail the account owner.

    `wording` names the credential in the mail, such as `passkey Laptop`. The default is the factor's label. Needs a
    transaction.
    """
    record(event=factor.enrolled_event, user_id=str(user.pk), client=client, now=now, metadata={**(metadata or {})})
    _mail(MailTemplate.FACTOR_ADDED, factor, user, wording, client=client, now=now)


@transaction_required
def record_removed(
    *,
    factor: SecondFactor,
    user: AbstractBaseUser,
    client: Client,
    now: datetime,
    wording: str | Promise = "",
    metadata: Mapping[str, Any] | None = None,
) -> None:
    """Record that the account no longer has the factor, and mail the account owner.

    `wording` is as in `record_enrolled`. Needs a transaction.
    """
    _record_removal(factor, metadata or {}, account_id=user.pk, client=client, now=now)
    _mail(MailTemplate.FACTOR_REMOVED, factor, user, wording, client=client, now=now)


@transaction_required
def remove_factors(*, account_id: Any, method: str, client: Client, now: datetime) -> None:
    """Delete all second factors of the account, and record each removal.

    The codes that replace a factor go too. `method` is the word for the cause in the metadata of the events, such as
    `recovery`. Needs the lock on the account's row, voids the pending logins and mails the owner. Needs a transaction.
    """
    for factor in second_factors:
        for metadata in factor.remove(account_id=account_id, added_from=DISTANT_PAST, now=now):
            _record_removal(factor, {**metadata, "method": method}, account_id=account_id, client=client, now=now)


@transaction_required
def take_factors(account: Account, *, now: datetime) -> Sequence[str]:
    """Delete all second factors and recovery codes of the account, mail the owner, and return the factors' labels.

    An operator does this for an owner who lost the factors. Sessions stay. Pending logins are void. Without a factor,
    the call changes nothing. Needs the lock on the account's row. Needs a transaction.
    """
    removed = []
    for factor in second_factors:
        for found in factor.remove(account_id=account.pk, added_from=DISTANT_PAST, now=now):
            metadata = {**found, "method": "operator"}
            record_removed(factor=factor, user=account.user, client=_NO_CLIENT, now=now, metadata=metadata)
            removed.append(factor.label)
    if removed:
        CredentialsEpoch.of(account).supersede(now=now)
        void_pending_logins(account_id=account.pk)
    return removed


class EndFactors(AccountListener):
    """Listener that deletes an account's second factors in the transaction of a takeover or of an undone change."""

    def account_taken_over(self, *, account_id: Any, now: datetime) -> None:
        """Delete all second factors of the account. The mail about the takeover lists them."""
        _delete_factors(account_id=account_id, added_from=DISTANT_PAST, now=now)

    def address_restored(self, *, account_id: Any, added_from: datetime, now: datetime) -> None:
        """Delete the second factors that were added from `added_from` on."""
        _delete_factors(account_id=account_id, added_from=added_from, now=now)


def delete_factors_of(*, instance: Account, **_: Any) -> None:
    """Delete all second factors of the account that is about to be deleted.

    Receiver of Django's signal `pre_delete`. The factor of a host project can be in a table without a foreign key.
    """
    _delete_factors(account_id=instance.pk, added_from=DISTANT_PAST, now=clock.now())


class FactorInventory:
    """Inventory of an account's second factors, for mails to the account owner."""

    def describe(self, *, account_id: Any, now: datetime) -> Sequence[str]:
        """Return a line for each factor, and one line for the unused recovery codes."""
        return [line for factor in second_factors for line in factor.describe(account_id=account_id, now=now)]


@transaction_required
def _delete_factors(*, account_id: Any, added_from: datetime, now: datetime) -> None:
    for factor in second_factors:
        factor.remove(account_id=account_id, added_from=added_from, now=now)


@transaction_required
def _record_removal(
    factor: SecondFactor, metadata: Mapping[str, Any], *, account_id: Any, client: Client, now: datetime
) -> None:
    record(event=factor.removed_event, user_id=str(account_id), client=client, now=now, metadata={**metadata})


@transaction_required
def _mail(
    template: MailTemplate,
    factor: SecondFactor,
    user: AbstractBaseUser,
    wording: str | Promise,
    *,
    client: Client,
    now: datetime,
) -> None:
    enqueue(
        template=template,
        to=users.email_of(user),
        account_id=user.pk,
        values={"factor": wording or gettext_lazy(factor.label)},
        client=client,
        now=now,
    )
