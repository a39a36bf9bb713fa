"""The acts of operators, which are audit events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from core.db.transactions import transaction_required
from core.http.client import Client
from events.audit import record
from events.models import Event
from events.vocabulary import OPERATOR_ACTS, EventType

from ..lists.cursors import Position, older_than, read_cursor
from ..people.users import find_emails

COMMAND_LINE = "command line"
"""The `author` in the metadata of an act of the command line. `user_id` is then the account that the act concerns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """An act of an operator. `email` is the present address of the account `user_id`; None when it was deleted.

    `user_id` is the operator, except in an act of the command line. The members of `metadata` depend on the type:
    - operator_metadata_changed: `subject_id` (the id of the user), `key`, `change` (`set` or `removed`)
    - operator_event_reviewed: `event_ids`, `status`
    - operator_setting_changed: `setting`, `change` (`stored` or `removed`)
    - operator_granted: `author`, `role`, `os_user`
    - operator_revoked: `author`, `os_user`
    - operator_command: `author`, `command` (the subcommand of `manage.py users`), `os_user`
    - operator_acted: `subject_id`, `act`, `step` and `reason`, as `account_acts.performing.record_step` states them. The
      owner who stops an act is its `author`.
    - alert_raised: `author`, `kind`, `matters`
    - operator_exported: `list`, `filters` (the names of the filters), and `subject_id` for the data about one person
    """

    id: UUID
    type: EventType
    user_id: str | None
    email: str | None
    ip: str
    user_agent: str
    metadata: Mapping[str, Any]
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ActPage:
    """A page of acts, the newest first. `next_cursor` is None on the last page."""

    acts: Sequence[Act]
    next_cursor: str | None


@transaction_required
def record_act(
    *, act: EventType, operator_id: str, client: Client, now: datetime, metadata: Mapping[str, Any] | None = None
) -> None:
    """Record the act, which is one of OPERATOR_ACTS, with its author. Runs in the transaction of the change.

    `metadata` has the members that Act lists. It never contains a stored value, a note or a secret.
    """
    record(event=act, user_id=operator_id, client=client, now=now, metadata=metadata)


def list_acts(*, cursor: str | None, limit: int) -> ActPage:
    """Return the page of acts after the cursor; the first page without one. Raises BadRequest when it is not a cursor."""
    after = read_cursor(cursor) if cursor is not None else None
    # The index of types is searched once for each type. So the cost does not grow with the number of acts.
    first, *others = (
        older_than(Event.objects.filter(type=act).order_by("-created_at", "-id"), after)[: limit + 1]
        for act in OPERATOR_ACTS
    )
    found = list(first.union(*others, all=True).order_by("-created_at", "-id")[: limit + 1])
    page = found[:limit]
    emails = find_emails(user_ids=[row.user_id for row in page])
    return ActPage(
        acts=[
            Act(
                id=row.pk,
                type=EventType(row.type),
                user_id=row.user_id,
                email=emails.get(row.user_id),
                ip=row.ip,
                user_agent=row.user_agent,
                metadata=row.metadata,
                created_at=row.created_at,
            )
            for row in page
        ],
        next_cursor=str(Position.of(page[-1])) if len(found) > limit else None,
    )
