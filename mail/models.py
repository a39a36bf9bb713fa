"""The tables of queued mails and of their counts."""

from typing import ClassVar

from django.db import models

from core.db.ids import new_id
from core.db.leases import Leased


class OutgoingMail(Leased):
    """A queued mail. The worker deletes the row after it sent the mail.

    `sealed` contains the encrypted mail with its recipient. The key is derived from SECRET_KEY, and the ciphertext is
    bound to the row's id. The mail is encrypted because it may contain a token, which the database otherwise stores
    only as a digest. The worker does not send the mail after `expires_at`. `attempts` counts the failed attempts.
    Deleting the account also deletes the row. A mail that must outlive the account has no `account`.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey("Account", on_delete=models.CASCADE, null=True, related_name="+")
    template = models.CharField(max_length=40)
    sealed = models.BinaryField()
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)

    class Meta:
        """The worker searches by `next_attempt_at` for the mail that is due first."""

        app_label = "authsvc_accounts"
        indexes: ClassVar = [models.Index(fields=["next_attempt_at"], name="authsvc_mail_due")]

    def __str__(self) -> str:
        return f"{self.template} {self.pk}"


class SecurityMailCount(models.Model):
    """The number of mails of one kind to an account owner since `started_at`, for the daily limit."""

    account = models.ForeignKey("Account", on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20)
    started_at = models.DateTimeField()
    count = models.PositiveSmallIntegerField()

    class Meta:
        """An account has one row per kind: `authsvc_security_mail_count_kind`. The limit updates this row."""

        app_label = "authsvc_accounts"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "kind"], name="authsvc_security_mail_count_kind")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.account_id}"
