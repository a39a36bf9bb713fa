"""Tables of the apikeys app."""

from typing import ClassVar

from django.db import models

from accounts.core.db.ids import new_id
from accounts.models import Account

NAME_MAX = 100
PREFIX_LENGTH = 11


class ApiKey(models.Model):
    """A key for a machine. Of the key itself only its SHA-256 digest is kept; `prefix` is what its owner knows it by.

    `last_used_at` and `last_rejected_at` are written once in a while only.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=NAME_MAX)
    prefix = models.CharField(max_length=PREFIX_LENGTH)
    digest = models.BinaryField(max_length=32)
    scopes = models.JSONField()
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    last_rejected_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        """A prefix is what a key is found by."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["prefix"], name="authsvc_api_key_prefix")]

    def __str__(self) -> str:
        return self.prefix
