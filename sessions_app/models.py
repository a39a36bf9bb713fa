"""Tables of the sessions app."""

from typing import ClassVar

from django.db import models

from accounts.core.db.ids import new_id
from accounts.models import Account


class Family(models.Model):
    """One login, and the only place that says whether it lives.

    It lives while `revoked_at` is null and neither limit has passed. `current_token_id` names the one token that may
    refresh it: rotation is one UPDATE of this row on condition that the presented token is still the current one, and
    every revocation is one UPDATE of `revoked_at`, so whichever comes second finds its condition false.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    current_token_id = models.UUIDField()
    started_at = models.DateTimeField()
    idle_expires_at = models.DateTimeField()
    absolute_expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        """Found by account, those that live among any number of ended ones; pruned by the day it must end."""

        indexes: ClassVar = [
            models.Index(fields=["absolute_expires_at"], name="authsvc_family_absolute"),
            models.Index(fields=["account"], condition=models.Q(revoked_at=None), name="authsvc_family_live"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class Token(models.Model):
    """A refresh token of a family: history, and the request that made it. Its id is the session's id while current.

    Only the SHA-256 digest of the token is kept.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    family = models.ForeignKey(Family, on_delete=models.CASCADE, related_name="tokens", db_index=False)
    digest = models.BinaryField(max_length=32)
    ip = models.CharField(max_length=45, blank=True)
    user_agent = models.CharField(max_length=512, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        """A digest is what a token is found by; pruning asks for a family's next token, one look among thousands."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="authsvc_token_digest")]
        indexes: ClassVar = [models.Index(fields=["family", "created_at"], name="authsvc_token_family")]

    def __str__(self) -> str:
        return str(self.pk)


class PendingLogin(models.Model):
    """A login whose first factor was right and that waits for the second.

    It is worth something while it is not consumed, not expired, and the account's epoch is still `epoch`. The completion
    that succeeds consumes it, and so does the last of the wrong guesses that it survives, which `failures` counts.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    digest = models.BinaryField(max_length=32)
    epoch = models.PositiveIntegerField()
    method = models.CharField(max_length=20)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    failures = models.PositiveSmallIntegerField(default=0)
    consumed_at = models.DateTimeField(null=True)

    class Meta:
        """A digest is what a pending token is found by; expired rows are pruned."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="authsvc_pending_digest")]
        indexes: ClassVar = [models.Index(fields=["expires_at"], name="authsvc_pending_expires")]

    def __str__(self) -> str:
        return str(self.pk)
