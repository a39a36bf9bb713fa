"""Tables of the accounts app. What an invariant says, a named constraint keeps."""

from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models

from .addresses import EMAIL_MAX
from .core.db.ids import new_id
from .core.db.transactions import declare_conflict
from .errors import UserExists
from .events.logs.models import ShippedLog
from .events.models import Event
from .events.webhooks.models import Delivery
from .mail.models import OutgoingMail
from .passwords.hashing import KIND_MAX

__all__ = ["Account", "Delivery", "Event", "MailToken", "OutgoingMail", "ShippedLog", "StoredHashKind", "User"]


class User(AbstractBaseUser):
    """The user of the standalone project: an address and a password hash. A Django site brings its own instead."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    email = models.CharField(max_length=EMAIL_MAX)
    last_login = None

    objects: ClassVar[BaseUserManager[Any]] = BaseUserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    class Meta:
        """One account an address, as it is stored."""

        swappable = "AUTH_USER_MODEL"
        db_table = "authsvc_user"
        constraints: ClassVar = [models.UniqueConstraint(fields=["email"], name="authsvc_user_email")]

    def __str__(self) -> str:
        return str(self.pk)


class Account(models.Model):
    """What the service keeps of one user, whatever the site's user model.

    `email_key` is the address in the one form in which addresses are compared. `credentials_epoch` is raised, in the
    same transaction, by everything that makes earlier proofs worthless; whoever issues after a proof does so on
    condition that it has not moved. `locked_until` in the past means nothing. `locks_in_row` counts the locks since the
    last completed login. `lock_mailed_at` is when the owner was last mailed about a lock. `metadata` are claims that
    operators add.
    In a host project `password_seen` is the SHA-256 of the stored password hash that the service last saw; null before
    the first time. An `email_key` without an `@` belongs to no address: the host gave the user one that others have.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+")
    email_key = models.CharField(max_length=EMAIL_MAX)
    email_proven_at = models.DateTimeField(null=True)
    password_seen = models.BinaryField(max_length=32, null=True)
    credentials_epoch = models.PositiveIntegerField(default=0)
    failed_attempts = models.PositiveIntegerField(default=0)
    locked_until = models.DateTimeField(null=True)
    # In the database too: a process of the release before inserts accounts without naming the column.
    locks_in_row = models.PositiveIntegerField(default=0, db_default=0)
    lock_mailed_at = models.DateTimeField(null=True)
    metadata = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        """One account an address, in whatever spelling."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["email_key"], name="authsvc_account_email_key")]
        indexes: ClassVar = [models.Index(fields=["created_at"], name="authsvc_account_created")]

    def __str__(self) -> str:
        return str(self.pk)


class MailToken(models.Model):
    """A token that was mailed: a magic link or an e-mail change. Single use: `spent_at` is set once, conditionally.

    `address` is what the token proves: the account's address for a magic link, the new one for a change.
    Void (a newer one, a changed password) looks like spent, since both are answered alike. A token without an account
    was mailed to no one. It makes a request for an unknown address run the same statements, `address` is then a keyed
    digest of the address, and the token proves nothing.
    """

    class Purpose(models.TextChoices):
        """What the token is good for."""

        MAGIC_LINK = "magic_link"
        EMAIL_CHANGE = "email_change"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, null=True, related_name="+")
    purpose = models.CharField(max_length=20, choices=Purpose.choices)
    digest = models.BinaryField(max_length=32)
    address = models.CharField(max_length=EMAIL_MAX)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    spent_at = models.DateTimeField(null=True)

    class Meta:
        """A digest is looked up; an account's live tokens are voided together."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="authsvc_mail_token_digest")]
        indexes: ClassVar = [
            models.Index(fields=["expires_at"], name="authsvc_mail_token_expires"),
            models.Index(
                fields=["address"], name="authsvc_mail_token_unknown", condition=models.Q(account__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class StoredHashKind(models.Model):
    """A kind of password hash that users have, as `hashing.kind_of` returns it; `seen_at` is when it was found last."""

    kind = models.CharField(max_length=KIND_MAX, primary_key=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.kind


def declare_conflicts() -> None:
    """Let the unique constraints on addresses surface as `user_exists`."""
    for model, column, name in (
        (User, "email", "authsvc_user_email"),
        (Account, "email_key", "authsvc_account_email_key"),
    ):
        columns = f"{model._meta.db_table}.{column}"
        declare_conflict(constraint=name, columns=columns, error=UserExists)
