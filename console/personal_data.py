"""The tables of the console with data about an account owner."""

from typing import Any

from django.db.models import QuerySet

from accounts.state.personal_tables import SECRET, PersonalTable, of_account
from events.models import Event
from events.vocabulary import FLAGGED_EVENTS

from .models import ConsoleSession, Operator, PlannedAct, Review


def _reviews(account_id: Any) -> "QuerySet[Review]":
    # Only these types have reviews, and an index finds them.
    flagged = Event.objects.filter(type__in=FLAGGED_EVENTS, user_id=str(account_id))
    return Review.objects.filter(event_id__in=flagged.values("pk"))


REVIEWS = PersonalTable(
    name="reviews",
    model=Review,
    rows=_reviews,
    columns=("event_id", "status", "note", "updated_at"),
    left_out={"reviewer_id": "It is the id of another person."},
)
OPERATOR_TABLES = (
    PersonalTable(
        name="operator_role", model=Operator, rows=of_account(Operator), columns=("role", "granted_role", "granted_at")
    ),
    PersonalTable(
        name="console_sessions",
        model=ConsoleSession,
        rows=of_account(ConsoleSession, "family__account_id"),
        columns=("family_id", "has_factor", "notice"),
        left_out={"digest": SECRET},
    ),
    PersonalTable(
        name="planned_acts",
        model=PlannedAct,
        rows=of_account(PlannedAct),
        columns=("id", "act", "reason", "planned_at", "due_at"),
        left_out={"author_id": "It is the id of another person.", "digest": SECRET},
    ),
)
"""The tables that only a full deployment has."""
