"""The accounts of an attack as CSV."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from core.http.client import Client

from ..exports.lists import BATCH, export_rows
from ..people.users import find_emails
from .incident import Incident, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackedAccount:
    """A row of the file. `email` is blank after the deletion of the account."""

    network: str
    user_id: str
    email: str
    outcome: Outcome
    failed_logins: int
    first_at: datetime
    last_at: datetime
    reached_at: datetime | None
    password_changed_at: datetime | None


def export_accounts(*, incident: Incident, operator_id: str, client: Client, now: datetime) -> Iterator[str]:
    """Record the export, and return the CSV of the accounts that the attack tried, the reached ones first."""
    rows = _rows(incident)
    return export_rows(
        name="attack", row_type=AttackedAccount, rows=rows, operator_id=operator_id, client=client, now=now
    )


def _rows(incident: Incident) -> Iterator[AttackedAccount]:
    for start in range(0, len(incident.targets), BATCH):
        batch = incident.targets[start : start + BATCH]
        emails = find_emails(user_ids=[target.user_id for target in batch])
        for target in batch:
            yield AttackedAccount(
                network=incident.network,
                user_id=target.user_id,
                email=emails.get(target.user_id, ""),
                outcome=target.outcome,
                failed_logins=target.failed_logins,
                first_at=target.first_at,
                last_at=target.last_at,
                reached_at=target.reached_at,
                password_changed_at=target.password_changed_at,
            )
