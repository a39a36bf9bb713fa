"""What a second factor is to a login. The app that has factors registers them; login never imports it."""

from typing import Any, Protocol

from accounts.core.registry import Registry
from accounts.events.vocabulary import EventType


class SecondFactor(Protocol):
    """A kind of second factor."""

    name: str
    """The contract's word for it, as it stands in `methods`."""
    gates_login: bool
    """Whether an account that has it enrolled must prove it at every login."""
    enrolled_event: EventType
    removed_event: EventType

    def is_enrolled(self, *, account_id: Any) -> bool:
        """Tell whether the account has this factor, confirmed."""


second_factors: Registry[SecondFactor] = Registry()


def enrolled_methods(*, account_id: Any) -> tuple[str, ...]:
    """Return the names of the factors that the account must choose from to complete a login, in registry order."""
    return tuple(
        factor.name for factor in second_factors if factor.gates_login and factor.is_enrolled(account_id=account_id)
    )
