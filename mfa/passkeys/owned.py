"""The passkeys of an account, and their names in events and mails."""

import hashlib
from typing import Any

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from accounts.models import Account
from events.vocabulary import EventType

from ..models import Passkey
from .authenticators import describe_passkey, name_of

NAME = "passkey"
"""The name of the factor."""

FAILED_EVENT = EventType.PASSKEY_CHALLENGE_FAILED


def passkeys_of(account: Account) -> QuerySet[Passkey]:
    """Return the account's passkeys."""
    return Passkey.objects.filter(account=account)


def user_handle(*, account_id: Any) -> bytes:
    """Return the account's user handle: 32 opaque bytes, for any type of the host project's user key."""
    return hashlib.sha256(f"authsvc user {account_id}".encode()).digest()


def handle_of(passkey: Passkey) -> bytes:
    """Return the user handle that the passkey's authenticator stores, or b"" when it is not known."""
    if passkey.imported_handle is None:
        return user_handle(account_id=passkey.account_id)
    return bytes(passkey.imported_handle)


def change_metadata(passkey: Passkey) -> dict[str, str]:
    """Return the metadata of the event that the passkey was added or removed."""
    return {"authenticator": name_of(passkey.aaguid)}


def wording_of(passkey: Passkey) -> Promise:
    """Return the name of the passkey in mails, such as `passkey Work laptop (Windows Hello)`."""
    wording: Promise = format_lazy(gettext_lazy("passkey {name}"), name=describe_passkey(passkey))
    return wording
