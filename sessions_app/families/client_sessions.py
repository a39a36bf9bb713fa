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

    def name_expression(self, *, family_id: str) -> str:
        """Return a scalar SQL expression for the name of the application whose session the family is, or NULL.

        `family_id` is the SQL expression of the family's id.
        """

    def families(self, *, account_id: Any) -> QuerySet[Any, UUID]:
        """Return the ids of the account's families that are sessions of applications, as a subquery."""


client_sessions: Registry[ClientSessions] = Registry()


def application_names(*, family_ids: Sequence[UUID]) -> Mapping[UUID, str]:
    """Return the name of the application for each of these families that is the session of one."""
    names: dict[UUID, str] = {}
    for one in client_sessions if family_ids else ():
        names.update(one.names(family_ids=family_ids))
    return names


def name_column(*, family_id: str) -> str:
    """Return a SQL expression for the name of the application whose session the family is, or ''.

    A statement that lists sessions reads the names by it, instead of a second statement. `family_id` is the SQL expression
    of the family's id.
    """
    names = "".join(f"{one.name_expression(family_id=family_id)}, " for one in client_sessions)
    return f"COALESCE({names}NULL, '')"
