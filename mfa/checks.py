"""System checks for settings that would lock users out or keep browsers from creating passkeys."""

import ipaddress
from typing import Any
from urllib.parse import urlsplit

from django.core.checks import CheckMessage, Error
from django.core.checks import Warning as CheckWarning

from accounts.checks import find_missing_pages
from mail.conf import settings as mail_settings

from .conf import is_recovery_on, keys, settings


def check_key(**_: Any) -> list[CheckMessage]:
    """Return a warning when ENCRYPTION_KEY is unset.

    The routes of second factors are then off, and accounts that have a second factor cannot sign in.
    """
    if keys():
        return []
    sentence = "ENCRYPTION_KEY is unset, so second factors are off. An account that already has one cannot sign in."
    hint = "Set it to 32 random bytes in base64. If it was set before, set it to the same key again."
    return [CheckWarning(sentence, hint=hint, id="authsvc.W003")]


def check_relying_party(**_: Any) -> list[CheckMessage]:
    """Return an error for each origin at which passkeys of the domain cannot be used.

    Also return a warning when the domain is an IP address.
    """
    domain = settings().rp_id
    hosts = {origin: urlsplit(origin).hostname or "" for origin in settings().own_origins if "://" in origin}
    named = "WEBAUTHN_ORIGINS contains" if settings().webauthn_origins else "BASE_URL is"
    messages: list[CheckMessage] = [
        Error(f"{named} {origin}, but passkeys need an origin on {domain} or one of its subdomains.", id="authsvc.E004")
        for origin, host in hosts.items()
        if host != domain and not host.endswith(f".{domain}")
    ]
    if _is_address(domain):
        sentence = f"Browsers create no passkeys for an IP address such as {domain}."
        hint = "Use a host name, such as localhost, in BASE_URL or WEBAUTHN_RP_ID."
        messages.append(CheckWarning(sentence, hint=hint, id="authsvc.W006"))
    return messages


def check_recovery_pages(**_: Any) -> list[CheckMessage]:
    """Warn of links in mails about a recovery that would lead to no page."""
    pages = {
        "RECOVERY_CANCEL_URL": (mail_settings().recovery_cancel_url, "recovery-cancel"),
        "RECOVERY_COMPLETE_URL": (mail_settings().recovery_complete_url, "recovery-complete"),
    }
    return find_missing_pages(pages) if is_recovery_on() else []


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


CHECKS = (check_key, check_relying_party)
