"""Tables of the mfa app. Secrets that the service must read again are sealed for their row; others are digests."""

from typing import ClassVar

from django.db import models

from accounts.models import Account
from core.db.ids import new_id

NICKNAME_MAX = 100
DEFAULT_NICKNAME = "Passkey"
CREDENTIAL_ID_MAX = 1023
"""In bytes (WebAuthn Level 3, section 4)."""
USER_HANDLE_MAX = 64
"""In bytes (WebAuthn Level 3, section 5.4.3)."""
PUBLIC_KEY_MAX = 1024
"""In bytes of COSE. The longest usable key, RSA with 4,096 bits, has about 530 bytes."""
PASSKEYS_MAX = 50
"""The maximum number of an account's passkeys."""


class Totp(models.Model):
    """An account's authenticator app. It is enrolled and gates logins once `confirmed_at` is set.

    `last_step` is the newest time step whose code completed a login. No code of that step or an older one completes a
    login again. `wrong_at` contains the times of the latest wrong codes at logins, oldest first, twenty at most. Each time
    is in seconds since 1970.
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
    """A WebAuthn credential of an account.

    `sign_count` only rises. It stays zero for authenticators that do not count. `user_verified` states whether the
    authenticator verified its user at the last use or, before the first use, at the registration. A row from before this
    column has False. `signs_in_alone` states whether the passkey is enough for a login. It never changes.

    `imported_handle` is the user handle of a passkey from another system. It is empty when that system did not store the
    handle, and null for a passkey whose handle derives from the account's id. With `learns_backup` the other system did
    not store whether the passkey can be synced, and the first use tells it.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    credential_id = models.BinaryField(max_length=CREDENTIAL_ID_MAX)
    public_key = models.BinaryField()
    sign_count = models.BigIntegerField()
    transports = models.JSONField()
    aaguid = models.UUIDField()
    is_backup_eligible = models.BooleanField()
    is_backed_up = models.BooleanField()
    user_verified = models.BooleanField(db_default=False, default=False)
    signs_in_alone = models.BooleanField(db_default=False, default=False)
    # Processes of the previous release insert passkeys without these columns.
    imported_handle = models.BinaryField(max_length=USER_HANDLE_MAX, null=True)
    learns_backup = models.BooleanField(db_default=False, default=False)
    nickname = models.CharField(max_length=NICKNAME_MAX)
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        """`authsvc_passkey_credential` ensures that a credential belongs to one account only."""

        constraints: ClassVar = [
            models.UniqueConstraint(fields=["credential_id"], name="authsvc_passkey_credential"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class Ceremony(models.Model):
    """A passkey ceremony, single use. The first finish call sets `consumed_at`, even when the response is refused.

    `account` is null for the purpose PASSKEY_ONLY: the response names the account. `pending_login` is the pending login
    to which a ceremony with purpose LOGIN belongs. It has no foreign key, because the ceremony alone completes nothing.
    """

    class Purpose(models.TextChoices):
        """Purposes of a ceremony. UPGRADE is a conditional registration, which follows a password login."""

        REGISTER = "register"
        UPGRADE = "upgrade"
        LOGIN = "login"
        PASSKEY_ONLY = "only"
        REAUTHENTICATE = "reauth"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+", null=True)
    purpose = models.CharField(max_length=10, choices=Purpose.choices)
    pending_login = models.UUIDField(null=True)
    digest = models.BinaryField(max_length=32)
    challenge = models.BinaryField(max_length=32)
    expires_at = models.DateTimeField()
    consumed_at = models.DateTimeField(null=True)

    class Meta:
        """The digest finds a ceremony. Expired rows are pruned."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="authsvc_ceremony_digest")]
        indexes: ClassVar = [models.Index(fields=["expires_at"], name="authsvc_ceremony_expires")]

    def __str__(self) -> str:
        return str(self.pk)


class RecoveryBatch(models.Model):
    """An account's current recovery codes, which were created together.

    `pepper` is the sealed HMAC key of their digests.
    """

    account = models.OneToOneField(Account, on_delete=models.CASCADE, primary_key=True, related_name="+")
    pepper = models.BinaryField()
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.pk)


class RecoveryCode(models.Model):
    """The HMAC-SHA-256 of one recovery code. Single use: one conditional UPDATE sets `used_at`."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    batch = models.ForeignKey(RecoveryBatch, on_delete=models.CASCADE, related_name="codes", db_index=False)
    digest = models.BinaryField(max_length=32)
    used_at = models.DateTimeField(null=True)

    class Meta:
        """The digest finds a code within its batch."""

        constraints: ClassVar = [
            models.UniqueConstraint(fields=["batch", "digest"], name="authsvc_recovery_code_digest"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class AccountRecovery(models.Model):
    """A running recovery of an account that lost its second factors. Its end deletes the row.

    An account has one row at most. An act of the account owner ends the recovery. Such an act is an audit event of the
    account with a type of `acts_of_the_owner` and an id above `id`. The recovery also ends when `epoch` is no longer
    the account's epoch. A lock does not end it, because a lock raises both epochs.

    `ready_at` never changes, so nothing shortens the wait. `due_at` is the time of the next mail. After the last mail
    it is the end of the time for the completion.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.OneToOneField(Account, on_delete=models.CASCADE, related_name="+")
    epoch = models.PositiveIntegerField()
    requested_at = models.DateTimeField()
    ready_at = models.DateTimeField()
    due_at = models.DateTimeField()

    class Meta:
        """The worker finds the recoveries that are due by `due_at`."""

        indexes: ClassVar = [models.Index(fields=["due_at"], name="authsvc_recovery_due")]

    def __str__(self) -> str:
        return str(self.pk)
