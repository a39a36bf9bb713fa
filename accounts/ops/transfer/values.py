"""Checks of the values in a row. Every function raises RefusedRow with the member's name and what is wrong."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
CLOCK_SKEW = timedelta(days=1)
"""How far in the future a time of another system may lie."""

MOMENT_SCHEMA: Mapping[str, Any] = {"type": "string", "format": "date-time"}

_BASE64URL = re.compile(r"[A-Za-z0-9_-]*", re.ASCII)


class RefusedRow(Exception):
    """The row cannot become an account. The text states the member and the reason, and never contains a secret."""


def text(value: Any, *, name: str, longest: int, shortest: int = 1) -> str:
    """Return a string within the bounds, without NUL characters and lone surrogates."""
    if not isinstance(value, str):
        raise RefusedRow(f"{name}: must be a string.")
    if not shortest <= len(value) <= longest:
        raise RefusedRow(f"{name}: must have {shortest} to {longest} characters.")
    # ASCII cannot contain a lone surrogate, and most values are ASCII.
    if "\x00" in value or not (value.isascii() or is_utf8(value)):
        raise RefusedRow(f"{name}: must be valid UTF-8 without NUL characters.")
    return value


def is_utf8(value: str) -> bool:
    """Return whether the string has no lone surrogate."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def flag(value: Any, *, name: str) -> bool:
    """Return true or false."""
    if value is not True and value is not False:
        raise RefusedRow(f"{name}: must be true or false.")
    return value


def whole(value: Any, *, name: str, most: int) -> int:
    """Return a whole number from 0 to `most`."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise RefusedRow(f"{name}: must be a whole number from 0 to {most}.")
    return value


def moment(value: Any, *, name: str, now: datetime) -> datetime:
    """Return a time in RFC 3339 with its offset from UTC, between 1970 and tomorrow."""
    try:
        found = datetime.fromisoformat(text(value, name=name, longest=40))
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise RefusedRow(f"{name}: must be a time such as 2026-11-21T03:44:29.123456Z.")
    if not EARLIEST <= found <= now + CLOCK_SKEW:
        raise RefusedRow(f"{name}: must lie between 1970 and now.")
    return found.astimezone(UTC)


def members(value: Any, *, name: str, known: frozenset[str]) -> Mapping[str, Any]:
    """Return an object that has only known members."""
    if not isinstance(value, dict):
        raise RefusedRow(f"{name}: must be an object.")
    if not known.issuperset(value):
        raise RefusedRow(f"{name}: has an unknown member. The known ones are: {', '.join(sorted(known))}.")
    return value


def items(value: Any, *, name: str, most: int) -> list[Any]:
    """Return a list with at most `most` items."""
    if not isinstance(value, list) or len(value) > most:
        raise RefusedRow(f"{name}: must be a list of at most {most} items.")
    return value


def octets(value: Any, *, name: str, longest: int) -> bytes:
    """Return the bytes of a base64url string without padding."""
    encoded = text(value, name=name, longest=4 * longest // 3 + 4)
    if _BASE64URL.fullmatch(encoded) and len(encoded) % 4 != 1:
        decoded = urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
        if len(decoded) <= longest and to_base64url(decoded) == encoded:
            return decoded
    raise RefusedRow(f"{name}: must be base64url without padding, of at most {longest} bytes.")


def to_base64url(value: bytes | memoryview) -> str:
    """Return the bytes in base64url without padding."""
    return urlsafe_b64encode(bytes(value)).rstrip(b"=").decode()
