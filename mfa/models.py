"""Tables of the mfa app. What must be read again is sealed and bound to its row; the rest is digests."""

from typing import ClassVar

from django.db import models

from accounts.core.db.ids import new_id
from accounts.core.db.transactions import declare_conflict
from accounts.models import Account

from .errors import InvalidPasskeyResponse

NICKNAME_MAX = 100
CREDENTIAL_ID_MAX = 1023
"""In bytes (WebAuthn Level 3, section 4)."""


class Totp(models.Model):
    """An account's authenticator app. It counts as enrolled, and gates logins, once `confirmed_at` is set.

    `last_step` is the newest time step whose code completed a login: neither it nor an older one does so again.
    `wrong_at` holds when the latest wrong codes were presented at logins, twenty at most and the oldest first, each as
    seconds since 1970.
    """

    account = models.OneToOneField(Account, on_delete=models.CASCADE, primary_key=True, related_name="+")
    secret = models.BinaryField()
    created_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True)
    last_step = models.BigIntegerField(default=0)
    wrong_at = models.JSONField(default=list)

    def __str__(self) -> str:
        return str(self.pk)


class Passkey(models.Model):
    """A WebAuthn credential of an account. `sign_count` only rises; authenticators that don't count leave it at zero."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    credential_id = models.BinaryField(max_length=CREDENTIAL_ID_MAX)
    public_key = models.BinaryField()
    sign_count = models.BigIntegerField()
    transports = models.JSONField()
    aaguid = models.UUIDField()
    is_backup_eligible = models.BooleanField()
    is_backed_up = models.BooleanField()
    nickname = models.CharField(max_length=NICKNAME_MAX)
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        """A credential belongs to one account, whoever else claims it."""

        constraints: ClassVar = [
            models.UniqueConstraint(fields=["credential_id"], name="authsvc_passkey_credential"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class Ceremony(models.Model):
    """A passkey ceremony that a browser is at: single use, `consumed_at` is set once by the first finish, good or bad.

    `pending_login` is the waiting login that a ceremony of purpose LOGIN belongs to, without a foreign key: it is worth
    nothing by itself.
    """

    class Purpose(models.TextChoices):
        """What the ceremony is for."""

        REGISTER = "register"
        LOGIN = "login"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    purpose = models.CharField(max_length=10, choices=Purpose.choices)
    pending_login = models.UUIDField(null=True)
    digest = models.BinaryField(max_length=32)
    challenge = models.BinaryField(max_length=32)
    expires_at = models.DateTimeField()
    consumed_at = models.DateTimeField(null=True)

    class Meta:
        """A digest is what a ceremony is found by; expired rows are pruned."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="authsvc_ceremony_digest")]
        indexes: ClassVar = [models.Index(fields=["expires_at"], name="authsvc_ceremony_expires")]

    def __str__(self) -> str:
        return str(self.pk)


class RecoveryBatch(models.Model):
    """An account's recovery codes, made together. `pepper` is the sealed key under which their digests are made."""

    account = models.OneToOneField(Account, on_delete=models.CASCADE, primary_key=True, related_name="+")
    pepper = models.BinaryField()
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.pk)


class RecoveryCode(models.Model):
    """One recovery code, as its HMAC-SHA-256. Single use: `used_at` is set once, conditionally."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    batch = models.ForeignKey(RecoveryBatch, on_delete=models.CASCADE, related_name="codes", db_index=False)
    digest = models.BinaryField(max_length=32)
    used_at = models.DateTimeField(null=True)

    class Meta:
        """A code is found by its digest within its batch."""

        constraints: ClassVar = [
            models.UniqueConstraint(fields=["batch", "digest"], name="authsvc_recovery_code_digest"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


def declare_conflicts() -> None:
    """Let a credential that is known already surface as a response that proves nothing."""
    columns = f"{Passkey._meta.db_table}.credential_id"
    declare_conflict(constraint="authsvc_passkey_credential", columns=columns, error=InvalidPasskeyResponse)
