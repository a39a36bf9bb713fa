"""Who may sign up, by the settings SIGNUP and SIGNUP_DOMAINS."""

from core.addresses import host_key

from ..conf import sign_up_settings
from ..errors import SignupClosed


def check_open(*, address: str) -> None:
    """Raise SignupClosed when a person may not sign up with the normalized address without an invitation.

    The caller checks this before it looks the address up. The answer then shows nothing about accounts.
    """
    chosen = sign_up_settings()
    if (chosen.sign_up or "open") != "open":
        raise SignupClosed
    if chosen.domains and host_key(address.rpartition("@")[2]) not in chosen.domains:
        raise SignupClosed


def check_invited() -> None:
    """Raise SignupClosed when not even an invited person may sign up."""
    if sign_up_settings().sign_up == "closed":
        raise SignupClosed
