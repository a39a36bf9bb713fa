"""System checks for settings that would lock users out or keep browsers from creating passkeys."""

import ipaddress
from typing import Any
from urllib.parse import urlsplit

from django.core.checks import CheckMessage, Error
from django.core.checks import Warning as CheckWarning

from .conf import keys, settings


def check_key(**_: Any) -> list[CheckMessage]:
    """Return a warning when ENCRYPTION_KEY is unset.

    The routes of second factors are then off, and accounts that have a second factor cannot sign in.
    """
    if keys():
        return []
    sentence = "ENCRYPTION_KEY is unset: there are no second factors, and an account that has one cannot sign in."
    hint = "Set it to 32 random bytes in base64 or, if it was set before, to the same key again."
    return [CheckWarning(sentence, hint=hint, id="authsvc.W003")]


def check_relying_party(**_: Any) -> list[CheckMessage]:
    """Return an error for each origin at which passkeys of the domain cannot be used.

    Also return a warning when the domain is an IP address.
    """
    domain = settings().rp_id
    hosts = {origin: urlsplit(origin).hostname or "" for origin in settings().origins if "://" in origin}
    named = "WEBAUTHN_ORIGINS holds" if settings().webauthn_origins else "BASE_URL is"
    messages: list[CheckMessage] = [
        Error(f"{named} {origin}, which is neither {domain} nor below it.", id="authsvc.E004")
        for origin, host in hosts.items()
        if host != domain and not host.endswith(f".{domain}")
    ]
    if _is_address(domain):
        sentence = f"Browsers make no passkeys for an address such as {domain}."
        hint = "Reach the service by a name, such as localhost, and set BASE_URL or WEBAUTHN_RP_ID to it."
        messages.append(CheckWarning(sentence, hint=hint, id="authsvc.W006"))
    return messages


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


CHECKS = (check_key, check_relying_party)
