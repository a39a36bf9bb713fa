"""Descriptions of clients and sessions, for mails."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from accounts.core.http.client import Client
from accounts.mail.compose import without_links

from .devices import describe, label
from .locations import locate
from .queries import list_live


def describe_client(client: Client) -> Mapping[str, str]:
    """Return the label of the client's device and the place of its IP address.

    Each is "" when it is unknown.
    """
    place = locate(client.ip)
    return {
        "device": label(describe(client.user_agent)) if client.user_agent else "",
        "place": ", ".join(part for part in (place.city, place.region, place.country) if part),
    }


class SessionInventory:
    """Inventory of an account's live sessions, for mails to the account owner."""

    def describe(self, *, account_id: Any, now: datetime) -> Sequence[str]:
        """Return a line for each live session, newest first."""
        sessions = list_live(account_id=account_id, now=now)
        return [
            f"Session: {without_links(session.label)}, {session.ip}, since {session.created_at:%Y-%m-%d}"
            for session in sessions
        ]
