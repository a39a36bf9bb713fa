"""Descriptions of clients and sessions, for mails."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from core.http.client import Client
from mail.compose import without_links
from mail.languages import format_day

from .detection.devices import UNKNOWN_DEVICE, Device, describe, label
from .detection.locations import locate
from .families.queries import Session, list_live


def describe_client(client: Client) -> Mapping[str, str]:
    """Return the label of the client's device and the location of its IP address.

    Each is "" when it is unknown.
    """
    location = locate(client.ip)
    return {
        "device": device_name(describe(client.user_agent)) if client.user_agent else "",
        "place": ", ".join(part for part in (location.city, location.region, location.country) if part),
    }


class SessionInventory:
    """Inventory of an account's live sessions, for mails to the account owner."""

    def describe(self, *, account_id: Any, now: datetime) -> Sequence[str]:
        """Return a line for each live session, newest first."""
        sessions = list_live(account_id=account_id, now=now)
        return [
            gettext("Session: {device}, {ip}, since {day}").format(
                device=without_links(session_name(session)), ip=session.ip, day=format_day(session.created_at)
            )
            for session in sessions
        ]


def session_name(session: Session) -> str:
    """Return the name of the application whose session it is, or else that of the device in the current language."""
    return device_name(session.device) if session.label == label(session.device) else session.label


def device_name(device: Device) -> str:
    """Return the device's label in the current language."""
    found = label(device)
    if found == UNKNOWN_DEVICE:
        return gettext("Unknown device")
    if found in {device.browser, device.os}:
        return found
    return gettext("{browser} on {system}").format(browser=device.browser, system=device.os)
