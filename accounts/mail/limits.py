"""Rate limits of the mails to one mailbox."""

from datetime import datetime
from enum import StrEnum

from ..addresses import email_key
from ..core import ratelimit
from ..core.errors import RateLimited
from ..core.http.client import Client


class MailKind(StrEnum):
    """The kinds of mails. Each kind has its own budget, so that mails of one kind do not use up another budget."""

    TO_NEW_ADDRESS = "to_new_address"
    """Mails to an address that a signed-in caller names."""
    NOTICE = "notice"
    """Notices to an account owner about an act that needs only an access token."""
    CONFIRMED_NOTICE = "confirmed_notice"
    """Notices about an act that demanded the password or a recovery code.

    An attacker with only a stolen access token cannot use up this budget. The owner can therefore always change the
    password.
    """
    LINK_FROM_KNOWN_NETWORK = "link_from_known_network"
    """Magic links that a client requested from a network in which the account logged in recently.

    Attackers in other networks cannot use up this budget. They therefore cannot block password and magic link at the
    same time.
    """
    LINK = "link"
    """All other magic links."""
    VERIFICATION = "verification"
    """Links that verify the address of an account."""
    RESET_FROM_KNOWN_NETWORK = "reset_from_known_network"
    """Password resets that a client requested from a network in which the account logged in recently."""
    RESET = "reset"
    """All other password resets."""


def mailbox_limit(kind: MailKind, address: str) -> tuple[str, str]:
    """Return the name and the key with which `ratelimit.hit_all()` counts a mail of the kind to the address."""
    return ("mailbox", f"{kind} {email_key(address)}")


def may_mail(kind: MailKind, address: str, *, now: datetime) -> bool:
    """Count one more mail of the kind to the mailbox, and return whether it may be sent.

    Does not raise RateLimited, so the caller's answer does not show that no mail was sent.
    """
    try:
        ratelimit.hit_all(mailbox_limit(kind, address), now=now)
    except RateLimited:
        return False
    return True


def link_request_limits(*, email: str, client: Client) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the names and the keys with which `ratelimit.hit_all()` counts a request for a link to the address.

    The limit `mail` counts by address and network: an attacker in another network must not use up the account owner's
    limit.
    """
    network = ratelimit.network_key(client.ip)
    return ("mail_ip", network), ("mail", f"{network} {email_key(email)}")
