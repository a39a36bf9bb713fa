"""The present state of the caller's account. The service reads it in its own database, never for another account."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from accounts.models import Account
from accounts.proofs.lockout import is_locked
from accounts.state.holdings import holdings
from accounts.state.lookup import get_own_account
from sessions_app.logins.second_factors import SecondFactor, enrolled_factors, second_factors

from .results import Status

LOCKED = "locked"
ADDRESS_PROVEN = "address_proven"
SECOND_FACTOR = "second_factor"


def fact_names() -> tuple[str, ...]:
    """Return the names of all facts that a question can ask for on this deployment."""
    things = (holding.name for holding in holdings)
    return (*dict.fromkeys((*_OF_ACCOUNT, *things, *(factor.name for factor in second_factors))),)


def read_fact(name: str, *, user_id: str, now: datetime) -> Status:
    """Return the state of the caller's account. Raises KeyError for a name outside `fact_names`.

    Raises InvalidAccessToken when the account does not exist.
    """
    account = get_own_account(user_id=user_id)
    if name in _OF_ACCOUNT:
        return _OF_ACCOUNT[name](account, now)
    for holding in holdings:
        if holding.name == name:
            number = holding.count(account_id=account.pk, now=now)
            return Status(name=name, holds=number > 0, number=number)
    return _factor({factor.name: factor for factor in second_factors}[name], account_id=account.pk, now=now)


def _factor(factor: SecondFactor, *, account_id: Any, now: datetime) -> Status:
    """Return whether the account has the factor.

    The codes that replace a factor count while one of them is unused.
    """
    lines = factor.describe(account_id=account_id, now=now)
    if not factor.gates_login:
        return Status(name=factor.name, holds=bool(lines))
    holds = factor in enrolled_factors(account_id=account_id)
    return Status(name=factor.name, holds=holds, number=len(lines) if holds else 0)


def _lock(account: Account, now: datetime) -> Status:
    holds = is_locked(locked_until=account.locked_until, now=now)
    return Status(name=LOCKED, holds=holds, until=account.locked_until if holds else None)


_OF_ACCOUNT: Mapping[str, Callable[[Account, datetime], Status]] = {
    LOCKED: _lock,
    ADDRESS_PROVEN: lambda account, _: Status(name=ADDRESS_PROVEN, holds=account.email_proven_at is not None),
    SECOND_FACTOR: lambda account, _: Status(name=SECOND_FACTOR, holds=bool(enrolled_factors(account_id=account.pk))),
}
