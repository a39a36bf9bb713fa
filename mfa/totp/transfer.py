"""The authenticator app in rows of users that `manage.py users` imports and exports."""

import re
from base64 import b32decode, b32encode
from binascii import Error
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts.ops.transfer import values
from accounts.ops.transfer.parts import RowFacts
from accounts.ops.transfer.values import MOMENT_SCHEMA, RefusedRow
from core.clock import rfc3339
from core.db.bulk import insert_rows

from ..conf import keys
from ..models import Totp
from .codes import DIGITS, STEP_SECONDS
from .factor import FACTOR, SECRETS

ALGORITHM = "SHA1"
SECRET_BITS_MIN = 80
"""Google's own app made secrets of this length for years. RFC 4226 demands 128 bits of new secrets."""
STORED_BYTES_MIN = 20
SECRET_MAX = 256
"""In characters of base32."""

_MEMBERS = frozenset({"secret", "created_at", "confirmed_at", "algorithm", "digits", "period"})
_BASE32 = re.compile(r"[A-Z2-7]+", re.ASCII)
_DROP = "--drop-factors imports the user without the app."


@dataclass(frozen=True, slots=True, kw_only=True)
class NewApp:
    """A confirmed authenticator app of a row. `secret` is base32 without padding."""

    secret: str
    created_at: datetime
    confirmed_at: datetime


class TotpPart:
    """The member `totp`: the confirmed authenticator app of the user."""

    member = "totp"
    factor = FACTOR.name
    schema: Mapping[str, Any] = {
        "description": "The confirmed authenticator app of the user. Without a secret, such as in an export without "
        "secrets, the user is refused unless `--drop-factors` says that the app is lost.",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "secret": {
                "type": ["string", "null"],
                "maxLength": SECRET_MAX,
                "description": f"Base32, of at least {SECRET_BITS_MIN} bits.",
            },
            "created_at": MOMENT_SCHEMA,
            "confirmed_at": MOMENT_SCHEMA,
            "algorithm": {"const": ALGORITHM},
            "digits": {"const": DIGITS},
            "period": {"const": STEP_SECONDS},
        },
    }

    def read(self, value: Any, *, facts: RowFacts) -> NewApp | None:
        """Return the app, or None when the operator drops an app that cannot be moved. Raises RefusedRow."""
        given = values.members(value, name="totp", known=_MEMBERS)
        try:
            return _read_app(given, facts=facts)
        except _Unmovable as obstacle:
            if facts.drops_factors:
                return None
            raise RefusedRow(f"totp: {obstacle} {_DROP}") from None

    def keys(self, value: NewApp) -> Sequence[str]:
        return ()

    def find_taken(self, keys: Collection[str]) -> Collection[str]:
        return ()

    def insert(self, values: Sequence[tuple[Any, NewApp]]) -> None:
        rows = [
            (account_id, SECRETS.seal(app.secret.encode(), pk=account_id), app.created_at, app.confirmed_at)
            for account_id, app in values
        ]
        insert_rows(Totp, columns=("account", "secret", "created_at", "confirmed_at"), rows=rows)

    def export(self, account_ids: Sequence[Any], *, with_secrets: bool) -> Mapping[Any, Any]:
        """Return the confirmed apps. Raises Unsealable when ENCRYPTION_KEY lacks the key of a secret."""
        found = {}
        for app in Totp.objects.filter(pk__in=account_ids, confirmed_at__isnull=False):
            secret = SECRETS.unseal(app.secret, pk=app.pk).decode() if with_secrets else None
            times = {"created_at": rfc3339(app.created_at), "confirmed_at": rfc3339(app.confirmed_at or app.created_at)}
            found[app.pk] = {"secret": secret, **times}
        return found


class _Unmovable(Exception):
    """The app cannot be moved. The text is one sentence."""


def _read_app(given: Mapping[str, Any], *, facts: RowFacts) -> NewApp:
    for member, present in (("algorithm", ALGORITHM), ("digits", DIGITS), ("period", STEP_SECONDS)):
        if given.get(member) not in (None, present):
            raise _Unmovable(f"The {member} must be {present}.")
    if given.get("secret") is None:
        raise _Unmovable("The file lacks the secret of the authenticator app.")
    if not keys():
        raise _Unmovable("ENCRYPTION_KEY is unset, so no authenticator app can be stored.")
    created_at = _find_moment(given, "created_at", now=facts.now) or facts.created_at
    return NewApp(
        secret=_read_secret(given["secret"]),
        created_at=created_at,
        confirmed_at=_find_moment(given, "confirmed_at", now=facts.now) or created_at,
    )


def _read_secret(value: Any) -> str:
    text = values.text(value, name="totp.secret", longest=SECRET_MAX).upper().replace(" ", "").rstrip("=")
    try:
        raw = b32decode(text + "=" * (-len(text) % 8)) if _BASE32.fullmatch(text) else b""
    except Error:
        raw = b""
    if len(raw) * 8 < SECRET_BITS_MIN:
        raise RefusedRow(f"totp.secret: must be base32 of at least {SECRET_BITS_MIN} bits.")
    # HMAC fills a short key up with zeros itself, so the codes stay the same. pyotp refuses shorter secrets.
    return b32encode(raw.ljust(STORED_BYTES_MIN, b"\0")).decode().rstrip("=")


def _find_moment(value: Mapping[str, Any], member: str, *, now: datetime) -> datetime | None:
    given = value.get(member)
    return None if given is None else values.moment(given, name=f"totp.{member}", now=now)
