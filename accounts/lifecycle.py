"""Protocols and registries by which other apps extend the handling of an account.

The apps that depend on accounts register their implementations in `AppConfig.ready()`. They add claims to access tokens
and react to a change, a lock or the deletion of an account. The listeners run in the transaction of the change.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from .core.http.client import Client
from .core.registry import Registry


class ClaimsProvider(Protocol):
    """Adds claims to an access token when it is issued."""

    def claims(self, *, account_id: Any) -> Mapping[str, Any]:
        """Return the claims for the account. The method runs at most one query."""


class SessionStore(Protocol):
    """Stores sessions."""

    def is_live(self, *, token_id: str, account_id: Any, now: datetime) -> bool:
        """Return whether the access token with this `jti` belongs to a live session of the account.

        The method runs one query.
        """

    def hold_live(self, *, token_id: str, account_id: Any, now: datetime) -> bool:
        """Return the same as `is_live`, and lock the session until the caller's transaction commits.

        Other calls cannot end the session before the commit.
        """


class AccountListener(Protocol):
    """Ends or deletes the rows of another app that depend on an account."""

    def credentials_changed(self, *, account_id: Any, now: datetime) -> None:
        """End everything that depends on the old password: sessions and pending logins.

        Only a change of the password calls this method. The caller itself voids the mailed tokens.
        """

    def account_locked(self, *, account_id: Any, now: datetime) -> None:
        """Void the pending logins that wait for a second factor. Live sessions continue."""

    def before_account_deleted(self, *, account_id: Any, now: datetime) -> None:
        """Delete the rows that no foreign key's cascade deletes."""


class FailureListener(Protocol):
    """Reacts to failed logins and failed password confirmations."""

    def login_failed(self, *, user_id: str | None, client: Client, now: datetime) -> None:
        """React to a failure whose event is already recorded. `user_id` is None when the address has no account."""


class Inventory(Protocol):
    """Lists one kind of thing that an account holds, such as sessions."""

    def describe(self, *, account_id: Any, now: datetime) -> Sequence[str]:
        """Return one line for each thing, such as `Session: Chrome on macOS`. The account owner reads these lines."""


claims_providers: Registry[ClaimsProvider] = Registry()
session_stores: Registry[SessionStore] = Registry()
account_listeners: Registry[AccountListener] = Registry()
inventories: Registry[Inventory] = Registry()
failure_listeners: Registry[FailureListener] = Registry()


def claims_for(*, account_id: Any) -> dict[str, Any]:
    """Return the claims of all providers. When two providers return the same claim, the later provider wins."""
    merged: dict[str, Any] = {}
    for provider in claims_providers:
        merged.update(provider.claims(account_id=account_id))
    return merged
