"""Who takes part in an account's life: claims in its access tokens, and what happens when it changes or goes.

Apps above register in `AppConfig.ready()`. Everything here runs in the transaction of the change itself.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from .core.http.client import Client
from .core.registry import Registry


class ClaimsProvider(Protocol):
    """Adds claims to an access token when it is issued."""

    def claims(self, *, account_id: Any) -> Mapping[str, Any]:
        """Return the claims for the account; one query at most."""


class SessionStore(Protocol):
    """Knows which sessions are live."""

    def is_live(self, *, token_id: str, account_id: Any, now: datetime) -> bool:
        """Tell whether the access token with this `jti` belongs to a live session of the account. One query."""

    def hold_live(self, *, token_id: str, account_id: Any, now: datetime) -> bool:
        """Tell the same, and let no other call end the session before the caller's transaction commits."""


class AccountListener(Protocol):
    """Clears up what belongs to an account."""

    def credentials_changed(self, *, account_id: Any, now: datetime) -> None:
        """End what rests on the old password or address: sessions, pending logins, mailed tokens."""

    def account_locked(self, *, account_id: Any, now: datetime) -> None:
        """Void the logins that wait for a second factor; live sessions go on."""

    def before_account_deleted(self, *, account_id: Any, now: datetime) -> None:
        """Take away what a foreign key's cascade would not."""


class FailureListener(Protocol):
    """Takes note of logins and password confirmations that failed."""

    def login_failed(self, *, user_id: str | None, client: Client, now: datetime) -> None:
        """Look at the failure that has just been recorded; `user_id` is None when the address has no account."""


class Inventory(Protocol):
    """Knows something that an account holds."""

    def describe(self, *, account_id: Any, now: datetime) -> Sequence[str]:
        """Return a line for each thing, as its owner would recognize it, such as `Session: Chrome on macOS`."""


claims_providers: Registry[ClaimsProvider] = Registry()
session_stores: Registry[SessionStore] = Registry()
account_listeners: Registry[AccountListener] = Registry()
inventories: Registry[Inventory] = Registry()
failure_listeners: Registry[FailureListener] = Registry()


def claims_for(*, account_id: Any) -> dict[str, Any]:
    """Return the claims that all providers add; a later provider wins over an earlier one."""
    merged: dict[str, Any] = {}
    for provider in claims_providers:
        merged.update(provider.claims(account_id=account_id))
    return merged
