"""How many mails an hour callers can have sent to one mailbox."""

from enum import StrEnum

from ..addresses import email_key


class MailKind(StrEnum):
    """Mails that are counted together. Each kind has a budget of its own, so that no kind uses up another kind's."""

    TO_NEW_ADDRESS = "to_new_address"
    """Mails to an address that a signed-in caller names."""
    NOTICE = "notice"
    """Notices to an account owner of an act that an access token alone permits."""
    CONFIRMED_NOTICE = "confirmed_notice"
    """Notices of an act that demanded the password or a recovery code. An attacker with a stolen access token cannot use
    up this budget, and so cannot keep the owner from a change of password."""
    LINK_FROM_KNOWN_NETWORK = "link_from_known_network"
    """Magic links that were requested from a network in which the account logged in lately. Attackers elsewhere cannot
    use up this budget, and so cannot shut the owner out of password and magic link at once."""
    LINK = "link"
    """All other magic links."""


def mailbox_limit(kind: MailKind, address: str) -> tuple[str, str]:
    """Return the name and the key by which `ratelimit.hit_all()` counts one more mail of the kind to the address."""
    return ("mailbox", f"{kind} {email_key(address)}")
