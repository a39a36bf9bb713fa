"""Tables of the console."""

from typing import Any, ClassVar

from django.db import connections, models

from accounts.models import Account
from core.db.ids import new_id
from sessions_app.models import Family

from .roles import Role

NOTE_MAX = 500
NOTICE_MAX = 300
REASON_MAX = 500

_ROLES = [(role.value, role.value) for role in Role]


def cascade_where_there_are_operators(collector: Any, field: Any, sub_objs: Any, using: str) -> None:
    """Delete rows about operators with the row they refer to. Do nothing on an embedded deployment without the tables."""
    if connections[using].vendor == "postgresql":
        models.CASCADE(collector, field, sub_objs, using)


# Without this attribute, the collector would query the table before it calls the function.
cascade_where_there_are_operators.lazy_sub_objs = True  # type: ignore[attr-defined]  # Django's protocol


class Operator(models.Model):
    """An account that may use the console. `role` is the name that the grant stated; every operator has the same claim.

    `granted_role` is the role of `console.roles` that the operator has. It is NULL for a grant from before the roles, and
    for a name that is only a label of the deployment. `held_role` reads it.
    """

    account = models.OneToOneField(
        Account, on_delete=cascade_where_there_are_operators, primary_key=True, related_name="+"
    )
    role = models.CharField(max_length=64)
    granted_role = models.CharField(max_length=7, choices=_ROLES, null=True)  # noqa: DJ001 - NULL is no role
    granted_at = models.DateTimeField()

    class Meta:
        """Only full deployments have this table."""

        required_db_vendor = "postgresql"

    def __str__(self) -> str:
        return str(self.pk)


class ConsoleSession(models.Model):
    """A session of the console in the release before `pages.models.BrowserSession`. This release reads no such row.

    The table remains, because processes of that release use it in a rolling upgrade.
    """

    family = models.OneToOneField(
        Family, on_delete=cascade_where_there_are_operators, primary_key=True, related_name="+"
    )
    digest = models.BinaryField(max_length=32)
    has_factor = models.BooleanField(default=False)
    notice = models.CharField(max_length=NOTICE_MAX, blank=True)

    class Meta:
        """Only full deployments have this table. The digest finds a session."""

        required_db_vendor = "postgresql"
        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="authsvc_console_session_digest")]

    def __str__(self) -> str:
        return str(self.pk)


class PlannedAct(models.Model):
    """An act on an account that waits for `due_at`. Its row goes with the act, with a cancellation and with the account.

    The owner of the account can stop the act by a mailed link. `digest` is the SHA-256 digest of the link's token.
    `author_id` is the operator who planned the act.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=cascade_where_there_are_operators, related_name="+")
    act = models.CharField(max_length=20)
    reason = models.CharField(max_length=REASON_MAX)
    author_id = models.CharField(max_length=64)
    digest = models.BinaryField(max_length=32)
    planned_at = models.DateTimeField()
    due_at = models.DateTimeField()

    class Meta:
        """Only full deployments have this table. An account waits for an act once."""

        required_db_vendor = "postgresql"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "act"], name="authsvc_planned_act"),
            models.UniqueConstraint(fields=["digest"], name="authsvc_planned_act_digest"),
        ]
        indexes: ClassVar = [models.Index(fields=["due_at"], name="authsvc_planned_act_due")]

    def __str__(self) -> str:
        return f"{self.act} {self.account_id}"


class BlockedNetwork(models.Model):
    """A network whose requests are refused until `ends_at`. `network` is its canonical text, such as `203.0.113.0/24`."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    network = models.CharField(max_length=43)
    reason = models.CharField(max_length=REASON_MAX)
    author_id = models.CharField(max_length=64)
    blocked_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    class Meta:
        """Only full deployments have this table. A network has one block at most."""

        required_db_vendor = "postgresql"
        constraints: ClassVar = [models.UniqueConstraint(fields=["network"], name="authsvc_blocked_network")]
        indexes: ClassVar = [models.Index(fields=["ends_at"], name="authsvc_blocked_network_end")]

    def __str__(self) -> str:
        return self.network


class Alert(models.Model):
    """The time of the last alert about a matter, such as the attack from one network. A matter has one row."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    matter = models.CharField(max_length=100)
    raised_at = models.DateTimeField()

    class Meta:
        """Only full deployments have this table."""

        required_db_vendor = "postgresql"
        constraints: ClassVar = [models.UniqueConstraint(fields=["matter"], name="authsvc_alert_matter")]

    def __str__(self) -> str:
        return self.matter


class RecordedDigest(models.Model):
    """A digest with the text that was rendered when it was recorded."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    window_start = models.DateTimeField()
    window_end = models.DateTimeField()
    generated_at = models.DateTimeField()
    text = models.TextField()

    def __str__(self) -> str:
        return str(self.pk)


class DigestSchedule(models.Model):
    """The time at which the next digest is due. There is at most one row, because its key is always 1."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    due_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.due_at)


class Review(models.Model):
    """An operator's review of a flagged event. An event without a row was never reviewed.

    An event with a row is not pruned. There is no foreign key: with one, pruning an event would search this table.
    """

    class Status(models.TextChoices):
        """The review. UNREVIEWED withdraws an earlier review."""

        UNREVIEWED = "unreviewed"
        CONFIRMED = "confirmed"
        DISMISSED = "dismissed"

    event_id = models.UUIDField(primary_key=True, editable=False)
    status = models.CharField(max_length=10, choices=Status.choices)
    note = models.CharField(max_length=NOTE_MAX, blank=True)
    reviewer_id = models.CharField(max_length=64)
    updated_at = models.DateTimeField()

    class Meta:
        """The index serves lists of one status."""

        indexes: ClassVar = [models.Index(fields=["status"], name="authsvc_review_status")]

    def __str__(self) -> str:
        return str(self.pk)
