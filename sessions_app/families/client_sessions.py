"""The registry of apps that open sessions of applications. Such a session belongs to the session of a login."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from uuid import UUID

from django.db.models import QuerySet

from core.registry import Registry


class ClientSessions(Protocol):
    """Knows which families are sessions of applications."""

    def names(self, *, family_ids: Sequence[UUID]) -> Mapping[UUID, str]:
        """Return the name of the application for each of these families that is the session of one. One query."""

    def families(self, *, account_id: Any) -> QuerySet[Any, UUID]:
        """Return the ids of the account's families that are sessions of applications, as a subquery."""


client_sessions: Registry[ClientSessions] = Registry()


def application_names(*, family_ids: Sequence[UUID]) -> Mapping[UUID, str]:
    """Return the name of the application for each of these families that is the session of one."""
    names: dict[UUID, str] = {}
    for one in client_sessions if family_ids else ():
        names.update(one.names(family_ids=family_ids))
    return names
