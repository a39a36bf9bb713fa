"""Descriptions of an account's API keys, for mails, and their number."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext

from mail.compose import without_links
from mail.languages import format_day

from .models import ApiKey


class KeyInventory:
    """Inventory of an account's API keys, for mails to the account owner."""

    def describe(self, *, account_id: Any, now: datetime) -> Sequence[str]:
        """Return a line for each key that is not revoked, newest first."""
        keys = ApiKey.objects.filter(account_id=account_id, revoked_at=None).order_by("-created_at", "-id")
        return [
            gettext("API key: {name}, {prefix}, since {day}").format(
                name=without_links(key.name), prefix=key.prefix, day=format_day(key.created_at)
            )
            for key in keys
        ]


class KeyHolding:
    """The number of an account's API keys, for questions about the account's state."""

    name = "api_keys"

    def count(self, *, account_id: Any, now: datetime) -> int:
        """Return the number of keys that are neither revoked nor expired."""
        unexpired = Q(expires_at=None) | Q(expires_at__gt=now)
        return ApiKey.objects.filter(unexpired, account_id=account_id, revoked_at=None).count()
