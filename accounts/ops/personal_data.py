"""The tables of the accounts app with data about an account owner."""

from typing import Any

from django.db.models import QuerySet

from events.models import Event
from events.webhooks.models import Delivery
from mail.models import OutgoingMail, SecurityMailCount

from ..models import Account, Invitation, MailToken, UndoLink
from ..state.personal_tables import INTERNAL, SECRET, PersonalTable, of_account, of_user_id


def _invitations(account_id: Any) -> "QuerySet[Invitation]":
    return Invitation.objects.filter(email_key__in=Account.objects.filter(pk=account_id).values("email_key"))


TABLES = (
    PersonalTable(
        name="account",
        model=Account,
        rows=of_account(Account, "pk"),
        columns=(
            *(
                "email_key",
                "email_proven_at",
                "was_proven",
                "failed_attempts",
                "locked_until",
                "locks_in_row",
                "failed_at",
            ),
            *("lock_mailed_at", "metadata", "deactivated_at", "created_at", "updated_at"),
        ),
        left_out={"password_seen": SECRET, "retired_hash": SECRET, "credentials_epoch": INTERNAL},
    ),
    PersonalTable(
        name="invitations",
        model=Invitation,
        rows=_invitations,
        columns=("id", "email", "email_key", "created_at", "expires_at"),
        left_out={"digest": SECRET, "invited_by": "It is the name of another person."},
    ),
    PersonalTable(
        name="mail_tokens",
        model=MailToken,
        rows=of_account(MailToken),
        columns=("id", "purpose", "address", "created_at", "expires_at", "spent_at", "code_failures"),
        left_out={"digest": SECRET, "code_digest": SECRET},
    ),
    PersonalTable(
        name="undo_links",
        model=UndoLink,
        rows=of_account(UndoLink),
        columns=("id", "address", "email_key", "added_from", "created_at", "expires_at", "spent_at"),
        left_out={"digest": SECRET},
    ),
    PersonalTable(
        name="queued_mails",
        model=OutgoingMail,
        rows=of_account(OutgoingMail),
        columns=("id", "template", "created_at", "expires_at", "next_attempt_at", "attempts"),
        left_out={"sealed": "It can contain a token, and the mail itself reaches the person."},
    ),
    PersonalTable(
        name="mail_counts",
        model=SecurityMailCount,
        rows=of_account(SecurityMailCount),
        columns=("kind", "started_at", "count"),
        left_out={"id": INTERNAL},
    ),
    PersonalTable(
        name="events",
        model=Event,
        rows=of_user_id(Event),
        columns=("id", "type", "ip", "user_agent", "metadata", "created_at"),
    ),
    PersonalTable(
        name="webhook_deliveries",
        model=Delivery,
        rows=of_user_id(Delivery),
        columns=(
            *("id", "event_id", "event_type", "ip", "status", "attempts", "created_at", "next_attempt_at"),
            *("delivered_at", "response_code", "duration_ms", "kind"),
        ),
        left_out={"payload": "It repeats the event.", "error": "It describes the receiver, and not the person."},
    ),
)
