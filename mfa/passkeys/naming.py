"""The names by which the owner of an account recognizes its passkeys."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from accounts.models import Account
from accounts.state.lookup import hold_signed_in_account
from core.db.transactions import write
from core.errors import NotFound
from core.keys.jwt import Caller

from ..models import DEFAULT_NICKNAME, Passkey
from .authenticators import name_of
from .factor import credential_id_of, text_of
from .owned import passkeys_of


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPasskey:
    """A passkey as its owner recognizes it.

    `authenticator` is the name of the device or of the passkey manager; "" when it is unknown. A synced passkey is on
    all devices of its owner.
    """

    credential_id: str
    nickname: str
    authenticator: str
    is_synced: bool
    signs_in_alone: bool
    created_at: datetime
    last_used_at: datetime | None


def list_named(account: Account) -> Sequence[NamedPasskey]:
    """Return the account's passkeys, newest first."""
    return [_named(passkey) for passkey in passkeys_of(account).order_by("-created_at", "-id")]


def get_named(account: Account, *, credential_id: str) -> NamedPasskey:
    """Return the passkey. Raises NotFound when it is unknown or belongs to another account."""
    found = passkeys_of(account).filter(credential_id=credential_id_of(credential_id)).first()
    if found is None:
        raise NotFound
    return _named(found)


@write
def rename(*, caller: Caller, credential_id: str, nickname: str, now: datetime) -> None:
    """Give the passkey another name. A blank name becomes `Passkey`.

    Raises InvalidAccessToken when the session has ended. Raises NotFound when the passkey is unknown or belongs to
    another account. Opens its own transaction.
    """
    account = hold_signed_in_account(caller=caller, now=now)
    own = passkeys_of(account).filter(credential_id=credential_id_of(credential_id))
    if not own.update(nickname=nickname.strip() or DEFAULT_NICKNAME):
        raise NotFound


def _named(passkey: Passkey) -> NamedPasskey:
    return NamedPasskey(
        credential_id=text_of(bytes(passkey.credential_id)),
        nickname=passkey.nickname,
        authenticator=name_of(passkey.aaguid),
        is_synced=passkey.is_backed_up,
        signs_in_alone=passkey.signs_in_alone,
        created_at=passkey.created_at,
        last_used_at=passkey.last_used_at,
    )
