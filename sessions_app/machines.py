"""Credentials of machines that act for an account, such as API keys. `GET /v1/verify` accepts them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from django.http import HttpRequest

from accounts.core.keys.jwt import Identity
from accounts.core.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineIdentity(Identity):
    """The identity of a machine's account. `facts` holds further members of the response of `GET /v1/verify`."""

    facts: Mapping[str, Any]


class MachineCredential(Protocol):
    """A kind of credential for machines."""

    def identify(self, *, request: HttpRequest, now: datetime) -> MachineIdentity | None:
        """Return the identity of the account whose credential the request contains.

        Returns None when the request contains no credential of this kind. Raises InvalidApiKey.
        """


machine_credentials: Registry[MachineCredential] = Registry()
