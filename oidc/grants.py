"""The grants of clients as sessions of an account: their names, and their ends."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.lifecycle import AccountListener
from core import clock
from core.db.transactions import transaction_required, write
from sessions_app.families.revocation import Cause, revoke_families
from sessions_app.models import Family, Token

from .models import Client, Code, Consent, Grant

BATCH = 500
"""The number of sessions in one transaction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawn:
    """The result of a withdrawal. `sessions` is the number of ended sessions.

    `anything` states that the client had a session, a consent or a code of the account.
    """

    sessions: int
    anything: bool


class GrantSessions:
    """The families that belong to clients, for the list of an account's sessions."""

    def names(self, *, family_ids: Sequence[UUID]) -> Mapping[UUID, str]:
        """Return the client's name for each of these families that has a grant. One query."""
        return dict(Grant.objects.filter(pk__in=family_ids).values_list("pk", "client__name"))

    def name_expression(self, *, family_id: str) -> str:
        """Return the SQL expression for the name of the client to which the family belongs, or NULL."""
        grant, client = Grant._meta.db_table, Client._meta.db_table
        return f"(SELECT c.name FROM {grant} g JOIN {client} c ON c.id = g.client_id WHERE g.family_id = {family_id})"  # noqa: S608 - the tables' own names

    def families(self, *, account_id: Any) -> QuerySet[Any, UUID]:
        """Return the ids of the account's families that have a grant, as a subquery."""
        return Grant.objects.filter(family__account_id=account_id).values_list("pk", flat=True)


class EndGrants(AccountListener):
    """Listener that ends the grants of a browser's session, and deletes the consents that an attacker may have given."""

    def session_ended(self, *, account_id: Any, session_ids: Sequence[str], cause: str, now: datetime) -> None:
        """End the grants that the person gave in the ended sessions. A grant with `offline_access` stays.

        An account owner who ends the session of a client withdraws the access of this client. The end of a grant calls
        this method again, and then finds nothing.
        """
        ended = Token.objects.filter(pk__in=session_ids).values("family")
        if cause == Cause.SESSION_REVOKED:
            clients = Grant.objects.filter(pk__in=ended).values_list("client", flat=True)
            for client_id in list(clients.distinct()):
                withdraw(account_id=account_id, client_id=client_id, now=now)
        bound = Grant.objects.filter(browser_id__in=ended, is_offline=False, family__account_id=account_id)
        _end(bound, account_id=account_id, cause=Cause(cause), now=now)

    def account_taken_over(self, *, account_id: Any, now: datetime) -> None:
        """Delete the consents. Another person may have given them."""
        Consent.objects.filter(account_id=account_id).delete()

    def address_restored(self, *, account_id: Any, added_from: datetime, now: datetime) -> None:
        """Delete the consents that were given from `added_from` on."""
        Consent.objects.filter(account_id=account_id, created_at__gte=added_from).delete()


def end_grants_of_client(client: Client) -> Iterator[int]:
    """End every session of the client, and yield the number of sessions after each batch.

    The caller deactivated the client before, so no new session begins. Each batch opens its own transaction and reads
    the clock. When the caller stops iterating, the committed batches stay.
    """
    void_codes(client=client, now=clock.now())
    while True:
        live = Family.objects.filter(pk__in=Grant.objects.filter(client=client).values("pk"), revoked_at=None)
        rows = list(live.order_by("account_id").values_list("account_id", "pk")[:BATCH])
        if not rows:
            return
        yield _end_batch(rows, now=clock.now())


@write
def void_codes(*, client: Client, now: datetime) -> None:
    """Void the codes of the client that no call has redeemed."""
    Code.objects.filter(client=client, consumed_at=None).update(consumed_at=now)


@write
def _end_batch(rows: Sequence[tuple[Any, UUID]], *, now: datetime) -> int:
    by_account: dict[Any, list[UUID]] = {}
    for account_id, family_id in rows:
        by_account.setdefault(account_id, []).append(family_id)
    for account_id, family_ids in by_account.items():
        revoke_families(account_id=account_id, family_ids=family_ids, cause=Cause.APPLICATION_ENDED, now=now)
    return len(rows)


@transaction_required
def withdraw(*, account_id: Any, client_id: UUID, now: datetime) -> Withdrawn:
    """Delete the account's consent to the client, void its codes and end its sessions.

    The caller holds the lock on the account's row. A redemption takes the same lock. So it comes before this call, and
    its session ends here, or it finds its code void.
    """
    consents, _ = Consent.objects.filter(account_id=account_id, client=client_id).delete()
    unused = Code.objects.filter(account_id=account_id, client=client_id, consumed_at=None, expires_at__gt=now)
    codes = unused.update(consumed_at=now)
    rows = Grant.objects.live(now).filter(family__account_id=account_id, client=client_id)
    sessions = _end(rows, account_id=account_id, cause=Cause.SESSION_REVOKED, now=now)
    return Withdrawn(sessions=sessions, anything=bool(consents or codes or sessions))


@transaction_required
def _end(grants: QuerySet[Grant], *, account_id: Any, cause: Cause, now: datetime) -> int:
    ids = list(grants.filter(family__revoked_at=None).values_list("pk", flat=True))
    return revoke_families(account_id=account_id, family_ids=ids, cause=cause, now=now) if ids else 0
