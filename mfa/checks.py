"""System checks: what would shut people out, or keep browsers from making passkeys, is said at the start."""

import ipaddress
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.core.checks import CheckMessage, Error, Tags
from django.core.checks import Warning as CheckWarning
from django.db import connections

from accounts.core.sealed import Unsealable
from accounts.core.sealed_columns import SealedColumn

from .conf import conf, keys
from .models import Totp
from .recovery_codes import PEPPERS
from .totp import SECRETS

_RESTORE = "Set ENCRYPTION_KEY to the key that sealed them; a list of keys opens with each."


def check_key(**_: Any) -> list[CheckMessage]:
    """Warn when there is no key: the routes of second factors are off, and accounts that have one cannot sign in."""
    if keys():
        return []
    sentence = "ENCRYPTION_KEY is unset: there are no second factors, and an account that has one cannot sign in."
    hint = "Set it to 32 random bytes in base64 or, if it was set before, to the same key again."
    return [CheckWarning(sentence, hint=hint, id="authsvc.W003")]


def check_sealed(*, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Warn when the keys do not open what is stored; asked with `check --database default`, and by every migration."""
    if (
        "default" not in (databases or ())
        or Totp._meta.db_table not in connections["default"].introspection.table_names()
        or all(_opens(column) for column in (SECRETS, PEPPERS))
    ):
        return []
    sentence = "ENCRYPTION_KEY does not open the second factors in the database: their owners cannot sign in."
    return [CheckWarning(sentence, hint=_RESTORE, id="authsvc.W007")]


def _opens(column: SealedColumn) -> bool:
    """Try the oldest value and the newest: a key that was put in another's place sealed only what came after."""
    rows = column.model._default_manager.order_by("created_at")
    try:
        for row in filter(None, (rows.first(), rows.last())):
            column.unseal(getattr(row, column.column), pk=row.pk)
    except Unsealable:
        return False
    return True


def check_relying_party(**_: Any) -> list[CheckMessage]:
    """Refuse origins that passkeys of the domain cannot be used at; warn of a domain that is an address."""
    domain = conf().rp_id
    hosts = {origin: urlsplit(origin).hostname or "" for origin in conf().origins if "://" in origin}
    messages: list[CheckMessage] = [
        Error(f"WEBAUTHN_ORIGINS holds {origin}, which is neither {domain} nor below it.", id="authsvc.E004")
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


CHECKS = ((check_key, "authsvc"), (check_relying_party, "authsvc"), (check_sealed, Tags.database))
