"""The interface between login and second factors.

The app that implements factors registers them here, so login does not import that app.
"""

from typing import Any, Protocol

from accounts.core.registry import Registry
from accounts.events.vocabulary import EventType


class SecondFactor(Protocol):
    """A kind of second factor."""

    name: str
    """The factor's name in the contract, as it stands in `methods`."""
    gates_login: bool
    """Whether each login of an account with this factor waits for a second factor."""
    enrolled_event: EventType
    removed_event: EventType

    def is_enrolled(self, *, account_id: Any) -> bool:
        """Return whether the account has this factor and has confirmed it."""


second_factors: Registry[SecondFactor] = Registry()


def enrolled_methods(*, account_id: Any) -> tuple[str, ...]:
    """Return the names of the account's factors that gate a login, in registry order.

    The user can complete the login with any one of them.
    """
    return tuple(
        factor.name for factor in second_factors if factor.gates_login and factor.is_enrolled(account_id=account_id)
    )
