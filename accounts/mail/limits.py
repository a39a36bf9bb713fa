"""Rate limits of the mails to one mailbox."""

from enum import StrEnum

from ..addresses import email_key


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


def mailbox_limit(kind: MailKind, address: str) -> tuple[str, str]:
    """Return the name and the key with which `ratelimit.hit_all()` counts a mail of the kind to the address."""
    return ("mailbox", f"{kind} {email_key(address)}")
