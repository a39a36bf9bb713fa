"""Interfaces and registries by which other apps extend the handling of an account.

The apps that depend on accounts register their implementations in their `wiring`. They add claims to access tokens
and react to a change, a lock or the deletion of an account. The listeners run in the transaction of the change.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from core.db import sql
from core.http.client import Client
from core.registry import Registry


class ClaimsProvider(Protocol):
    """Adds claims to an access token when it is issued.

    The statement that issues a token reads the data of all providers. So the claims cost no query of their own.
    """

    def expression(self, *, account_id: str) -> str:
        """Return a scalar SQL expression for the provider's data.

        `account_id` is the SQL expression or the placeholder of the account's primary key. It stands in the returned
        expression exactly once.
        """

    def claims(self, value: Any) -> Mapping[str, Any]:
        """Return the claims for the value of the expression."""


class SessionStore(Protocol):
    """Stores sessions."""

    def is_live(self, *, token_id: str, account_id: Any, now: datetime) -> bool:
        """Return whether the access token with this `jti` belongs to a live session of the account.

        The method runs one query.
        """

    def hold_live(self, *, token_id: str, account_id: Any, now: datetime) -> bool:
        """Return the same as `is_live`, and lock the session until the transaction commits.

        Other calls cannot end the session before the commit.
        """

    def authenticated_at(self, *, token_id: str, account_id: Any, now: datetime) -> datetime | None:
        """Return the time of the session's login or of its latest reauthentication.

        Returns None when no live session of the account belongs to the `jti`. The method runs one query.
        """

    def mark_authenticated(self, *, token_id: str, account_id: Any, now: datetime) -> bool:
        """Set the session's time of authentication to `now`, and return True.

        Returns False, and changes nothing, when no live session of the account belongs to the `jti`. Needs a
        transaction.
        """


class SignOut(StrEnum):
    """The acts of operators that sign an account out.

    The values are causes in the metadata of SESSION_ENDED, so never rename one.
    """

    DEACTIVATION = "account_deactivated"
    REQUIRED_RESET = "password_reset_required"
    OPERATOR = "operator_signed_out"


class AccountListener:
    """Ends or deletes the rows of another app that depend on an account or on its sessions.

    A subclass defines the methods of the changes that concern its app. The other methods do nothing.
    """

    def credentials_changed(self, *, account_id: Any, now: datetime) -> None:
        """End everything that depends on the old password: sessions and pending logins.

        A change and a reset of the password call this method. The caller itself voids the mailed tokens.
        """

    def account_locked(self, *, account_id: Any, now: datetime) -> None:
        """Void the pending logins that wait for a second factor. Live sessions continue."""

    def account_signed_out(self, *, account_id: Any, act: SignOut, now: datetime) -> None:
        """End every session and every pending login. The caller itself voids the mailed tokens."""

    def account_taken_over(self, *, account_id: Any, now: datetime) -> None:
        """End or delete everything that another person could have made in the account.

        `takeover.take_over` calls this method. The caller itself voids the password and the mailed tokens.
        """

    def address_restored(self, *, account_id: Any, added_from: datetime, now: datetime) -> None:
        """End every session, and end or delete the credentials that were added from `added_from` on.

        The owner of the earlier address undid a change of it. The caller itself voids the password and the mailed tokens.
        """

    def session_ended(self, *, account_id: Any, session_ids: Sequence[str], cause: str, now: datetime) -> None:
        """End everything that depends on these sessions of the account.

        `session_ids` and `cause` are those of the event SESSION_ENDED. One act calls this method once.
        """

    def before_account_deleted(self, *, account_id: Any, now: datetime) -> None:
        """Delete the rows that no foreign key's cascade deletes."""


class FailureListener(Protocol):
    """Reacts to failed logins and failed password confirmations."""

    def login_failed(self, *, user_id: str | None, client: Client, now: datetime) -> None:
        """React to a failure whose event is already recorded. `user_id` is None when the address has no account.

        The account's row is locked until the commit.
        """


class FactorStore(Protocol):
    """Stores second factors."""

    def has_factor(self, *, account_id: Any) -> bool:
        """Return whether the logins of the account need a second factor."""


class Inventory(Protocol):
    """Lists one kind of thing that an account has, such as sessions."""

    def describe(self, *, account_id: Any, now: datetime) -> Sequence[str]:
        """Return one line for each thing, such as `Session: Chrome on macOS`, in the current language.

        The account owner reads these lines.
        """


claims_providers: Registry[ClaimsProvider] = Registry()
session_stores: Registry[SessionStore] = Registry()
account_listeners: Registry[AccountListener] = Registry()
factor_stores: Registry[FactorStore] = Registry()
inventories: Registry[Inventory] = Registry()
failure_listeners: Registry[FailureListener] = Registry()


def claims_columns(*, account_id: str) -> str:
    """Return the expressions of all providers as the last columns of a SELECT: "" or `, x, y`.

    `account_id` is as in `ClaimsProvider.expression`.
    """
    return "".join(f", {provider.expression(account_id=account_id)}" for provider in claims_providers)


def claims_from(values: Sequence[Any]) -> dict[str, Any]:
    """Return the claims for the values of `claims_columns`.

    When two providers return the same claim, the later provider wins.
    """
    merged: dict[str, Any] = {}
    for provider, value in zip(claims_providers, values, strict=True):
        merged.update(provider.claims(value))
    return merged


def claims_for(*, account_id: Any) -> dict[str, Any]:
    """Return the claims of all providers for the account. Runs at most one query."""
    parameters = (account_id,) * len(claims_providers)
    if not parameters:
        return {}
    [(_, *values)] = sql.fetch_all(f"SELECT 1{claims_columns(account_id='%s')}", parameters)
    return claims_from(values)
