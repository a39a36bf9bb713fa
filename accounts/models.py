"""Tables of the accounts app. Named constraints enforce the invariants."""

from datetime import timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models

from core.addresses import EMAIL_MAX
from core.db.ids import new_id
from core.db.transactions import declare_conflict
from events.logs.models import ShippedLog
from events.models import Event
from events.webhooks.models import Delivery
from mail.models import OutgoingMail, SecurityMailCount

from .errors import UserExists
from .passwords.hashing import KIND_MAX

__all__ = [
    "Account",
    "Delivery",
    "Event",
    "Invitation",
    "LoginLock",
    "MailToken",
    "OutgoingMail",
    "SecurityMailCount",
    "ShippedLog",
    "StoredHashKind",
    "UndoLink",
    "User",
    "WorkerHeartbeat",
]

FAILURE_MEMORY_PERIOD = timedelta(days=30)
"""The time after the last failure from which a count of failures and a row of locks start again.

It is the same for accounts and for unknown addresses. Otherwise the rest of a count would reveal an account.
"""

INVITER_MAX = 100


class User(AbstractBaseUser):
    """The user of the standalone project: an address and a password hash. A host project uses its own user model."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    email = models.CharField(max_length=EMAIL_MAX)
    last_login = None

    objects: ClassVar[BaseUserManager[Any]] = BaseUserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    class Meta:
        """The stored address is unique: `authsvc_user_email`."""

        swappable = "AUTH_USER_MODEL"
        db_table = "authsvc_user"
        constraints: ClassVar = [models.UniqueConstraint(fields=["email"], name="authsvc_user_email")]

    def __str__(self) -> str:
        return str(self.pk)


class Account(models.Model):
    """The data of the service about one user. It does not depend on the user model of the project.

    `email_key` is the address in the form in which the service compares addresses. An account of an earlier release can
    have another form, see `state/former_keys.py`. An `email_key` that begins with `!`
    belongs to no address. It means that the host project gave the user a malformed, shared or taken address.
    `email_proven_at` is the time of the first proof that the account owner reads the mailbox. `was_proven` states that
    an earlier address of the account was proven.

    Every transaction that invalidates earlier proofs raises `credentials_epoch`. Code that issues tokens after a proof
    checks that `credentials_epoch` has not changed since the proof.

    `locked_until` has no effect when it lies in the past. `locks_in_row` counts the locks since the last completed
    login. `failed_at` is the time of the last counted failure; an old count starts again. `lock_mailed_at` is the time of
    the last mail to the account owner about a lock. `metadata` contains claims that
    operators add.

    `retired_hash` is the hash of a password that an operator has retired, or "". No login accepts it: a login with the
    retired password gets PasswordResetRequired. A new password empties it.

    `deactivated_at` is null while the account is active. A deactivated account keeps its data, and no one can sign in
    to it.

    In a host project `password_seen` is the SHA-256 of the password hash that the service last saw. It is null until
    the service sees the hash for the first time, and always null in the standalone project.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+")
    email_key = models.CharField(max_length=EMAIL_MAX)
    email_proven_at = models.DateTimeField(null=True)
    # Processes of the previous release insert accounts without this column.
    was_proven = models.BooleanField(default=False, db_default=False)
    password_seen = models.BinaryField(max_length=32, null=True)
    credentials_epoch = models.PositiveIntegerField(default=0)
    failed_attempts = models.PositiveIntegerField(default=0)
    locked_until = models.DateTimeField(null=True)
    # The default is in the database too: processes of the previous release insert accounts without this column.
    locks_in_row = models.PositiveIntegerField(default=0, db_default=0)
    failed_at = models.DateTimeField(null=True)
    lock_mailed_at = models.DateTimeField(null=True)
    metadata = models.JSONField(default=dict)
    # Processes of the previous release insert accounts without this column.
    retired_hash = models.TextField(default="", db_default="")
    deactivated_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        """One address belongs to at most one account, in any spelling: `authsvc_account_email_key`.

        On PostgreSQL the last four indexes serve the console's search. `authsvc_account_parts`, which only a migration
        names, finds parts of addresses.
        """

        constraints: ClassVar = [models.UniqueConstraint(fields=["email_key"], name="authsvc_account_email_key")]
        indexes: ClassVar = [
            models.Index(fields=["created_at"], name="authsvc_account_created"),
            models.Index(fields=["created_at", "user"], name="authsvc_account_order"),
            models.Index(
                fields=["locked_until"], condition=~models.Q(locked_until=None), name="authsvc_account_locked"
            ),
            models.Index(
                fields=["created_at"], condition=models.Q(email_proven_at=None), name="authsvc_account_unproven"
            ),
            models.Index(
                fields=["created_at"], condition=~models.Q(deactivated_at=None), name="authsvc_account_deactivated"
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class MailToken(models.Model):
    """A mailed token of a magic link, a change or verification of the address, a password reset or a recovery.

    A token is valid once. A conditional update sets `spent_at`, so that only one caller can spend the token. A void
    token also has `spent_at`, because the API refuses void and spent tokens in the same way. For example, a newer token
    or a change of the password voids a token. `address` is the address that the token proves. For a change it is the
    new address, and for all other purposes it is the account's address.

    The mail of a magic link also contains a code. `code_digest` is its keyed digest, and null when the token has no code
    that works. `code_failures` counts the wrong codes.

    A token without an account proves nothing and is never mailed. It exists so that a request for an unknown address
    runs the same statements. Its `address` is a keyed digest of the unknown address.
    """

    class Purpose(models.TextChoices):
        """The act that the token permits."""

        MAGIC_LINK = "magic_link"
        EMAIL_CHANGE = "email_change"
        EMAIL_VERIFY = "email_verify"
        PASSWORD_RESET = "password_reset"  # noqa: S105 - a purpose's name
        RECOVERY_CANCEL = "recovery_cancel"
        RECOVERY_COMPLETE = "recovery_complete"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, null=True, related_name="+")
    purpose = models.CharField(max_length=20, choices=Purpose.choices)
    digest = models.BinaryField(max_length=32)
    address = models.CharField(max_length=EMAIL_MAX)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    spent_at = models.DateTimeField(null=True)
    code_digest = models.BinaryField(max_length=32, null=True)
    # Processes of the previous release insert tokens without this column.
    code_failures = models.PositiveSmallIntegerField(default=0, db_default=0)

    class Meta:
        """The digest is unique: `authsvc_mail_token_digest`. The unique index also serves the lookup by digest.

        Retention searches by `expires_at`. Tokens without an account are found by `address`.
        """

        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="authsvc_mail_token_digest")]
        indexes: ClassVar = [
            models.Index(fields=["expires_at"], name="authsvc_mail_token_expires"),
            models.Index(
                fields=["address"], name="authsvc_mail_token_unknown", condition=models.Q(account__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class UndoLink(models.Model):
    """A mailed link that undoes a change of the address.

    `address` is the address that the link restores, and `email_key` is its form for comparisons. No other account can
    get the address while the link is live. Credentials that were added from `added_from` on end with the undo. A
    conditional update sets `spent_at`, so that only one caller can spend the link. A void link also has `spent_at`.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    digest = models.BinaryField(max_length=32)
    address = models.CharField(max_length=EMAIL_MAX)
    email_key = models.CharField(max_length=EMAIL_MAX)
    added_from = models.DateTimeField()
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    spent_at = models.DateTimeField(null=True)

    class Meta:
        """The digest is unique: `authsvc_undo_link_digest`. A sign-up searches the live links by `email_key`."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="authsvc_undo_link_digest")]
        indexes: ClassVar = [
            models.Index(fields=["email_key"], name="authsvc_undo_link_live", condition=models.Q(spent_at__isnull=True))
        ]

    def __str__(self) -> str:
        return str(self.pk)


class Invitation(models.Model):
    """A person whom an operator invited to sign up, and who has not accepted. `digest` is that of the mailed token.

    The acceptance and the revocation delete the row, so that only one caller can accept. A new invitation of the address
    replaces the row's token. `invited_by` is the user of the operating system.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    email = models.CharField(max_length=EMAIL_MAX)
    email_key = models.CharField(max_length=EMAIL_MAX)
    digest = models.BinaryField(max_length=32)
    invited_by = models.CharField(max_length=INVITER_MAX, blank=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        """An address has at most one invitation, in any spelling: `authsvc_invitation_email_key`.

        The digest is unique: `authsvc_invitation_digest`.
        """

        constraints: ClassVar = [
            models.UniqueConstraint(fields=["email_key"], name="authsvc_invitation_email_key"),
            models.UniqueConstraint(fields=["digest"], name="authsvc_invitation_digest"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class LoginLock(models.Model):
    """The wrong passwords for an unknown address, or from a network for an account. `digest` is a keyed digest of both.

    The columns have the meaning of those of Account. A conditional upsert counts, so that parallel attempts cannot
    exceed the threshold. A row ends when its last failure is old, as the count of an account does.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    digest = models.CharField(max_length=32)
    failed_attempts = models.PositiveIntegerField()
    locked_until = models.DateTimeField(null=True)
    locks_in_row = models.PositiveIntegerField()
    failed_at = models.DateTimeField()

    class Meta:
        """Each key has one row: `authsvc_login_lock_digest`."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="authsvc_login_lock_digest")]

    def __str__(self) -> str:
        return str(self.pk)


class StoredHashKind(models.Model):
    """A kind of password hash that users have, in the form that `hashing.kind_of` returns.

    `seen_at` is the time at which a scan or a login last found the kind. `users` is the number of users of the last scan,
    and of imports since.
    """

    kind = models.CharField(max_length=KIND_MAX, primary_key=True)
    users = models.BigIntegerField(db_default=0)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.kind


class WorkerHeartbeat(models.Model):
    """The time at which a background worker last ran. All workers share the row."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    seen_at = models.DateTimeField()

    class Meta:
        """There is at most one row: `authsvc_worker_heartbeat_single`."""

        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(id=1), name="authsvc_worker_heartbeat_single")
        ]

    def __str__(self) -> str:
        return f"{self.seen_at}"


def declare_conflicts() -> None:
    """Let a violation of the unique constraints on addresses raise UserExists."""
    for model, column, name in (
        (User, "email", "authsvc_user_email"),
        (Account, "email_key", "authsvc_account_email_key"),
    ):
        columns = f"{model._meta.db_table}.{column}"
        declare_conflict(constraint=name, columns=columns, error=UserExists)
