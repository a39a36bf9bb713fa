"""Tables of the apikeys app."""

from typing import ClassVar

from django.db import models

from accounts.models import Account
from core.db.ids import new_id

NAME_MAX = 100
DAYS_MAX = 3650
"""The longest lifetime of a key with an end, in days."""
PREFIX_LENGTH = 11


class ApiKey(models.Model):
    """An API key for a machine.

    The row contains only the SHA-256 digest of the key. `prefix` is the part by which the owner recognizes the key.
    `last_used_at` and `last_rejected_at` are not written at every request.
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
        """A key is looked up by its prefix, so each prefix belongs to one key."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["prefix"], name="authsvc_api_key_prefix")]

    def __str__(self) -> str:
        return self.prefix


class ServiceKey(models.Model):
    """A key of the operator's own services, made by a command. It belongs to no account, and has scopes of the service."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(max_length=NAME_MAX)
    prefix = models.CharField(max_length=PREFIX_LENGTH)
    digest = models.BinaryField(max_length=32)
    scopes = models.JSONField()
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        """A key is looked up by its prefix, so each prefix belongs to one key."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["prefix"], name="authsvc_service_key_prefix")]

    def __str__(self) -> str:
        return self.prefix
