"""Machines that call in an account's name: they prove it with something else than an access token, at verify alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from django.http import HttpRequest

from accounts.core.keys.jwt import Identity
from accounts.core.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineIdentity(Identity):
    """Whose machine it is; `facts` is what verify answers besides."""

    facts: Mapping[str, Any]


class MachineCredential(Protocol):
    """A kind of credential for machines."""

    def identify(self, *, request: HttpRequest, now: datetime) -> MachineIdentity | None:
        """Return whose credential the request carries, None when it carries none of this kind. Raises InvalidApiKey."""


machine_credentials: Registry[MachineCredential] = Registry()
