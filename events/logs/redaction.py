"""Redaction of log lines. A copy of a line contains only allowed fields, and the personal fields are redacted."""

import hmac
from collections.abc import Mapping
from typing import Any

ALLOWED_FIELDS = frozenset(
    {
        "algorithm",
        "attempts",
        "check",
        "delay_seconds",
        "delivery_id",
        "duration_ms",
        "exception_type",
        "exit_code",
        "grace_seconds",
        "hint",
        "index",
        "ip",
        "job",
        "kind",
        "mail_id",
        "method",
        "next_attempt_seconds",
        "origin",
        "pid",
        "process_name",
        "provider",
        "reason",
        "request_id",
        "route",
        "status",
        "step",
        "template",
        "user_id",
    }
)
"""The names of the fields that the copy of a log line may contain. The copy leaves out every other field."""

CREDENTIALS = ("token", "password", "authorization", "secret", "dsn", "api_key", "cookie")
PERSONAL_FIELDS = ("ip", "user_id", "email")

MASK = "[redacted]"
_HASH_DIGITS = 16


def redact(fields: Mapping[str, Any], *, hash_key: str | None) -> dict[str, Any]:
    """Return the fields with all sensitive values replaced, at any depth.

    A field is sensitive when its name is a word of CREDENTIALS or PERSONAL_FIELDS. A name that ends in `_` and such a
    word is sensitive too. The comparison ignores case. The replacement is MASK. With a `hash_key`, a value of a field in PERSONAL_FIELDS
    becomes a keyed hash instead, so that equal values stay recognizable.
    """
    return {name: _redact(name.lower(), value, hash_key=hash_key) for name, value in fields.items()}


def _redact(name: str, value: Any, *, hash_key: str | None) -> Any:
    if _is_among(name, CREDENTIALS):
        return MASK
    if _is_among(name, PERSONAL_FIELDS):
        return _hashed(value, hash_key) if hash_key and value is not None else MASK
    if isinstance(value, Mapping):
        return redact(value, hash_key=hash_key)
    if isinstance(value, list | tuple):
        return [_redact(name, item, hash_key=hash_key) for item in value]
    return value


def _is_among(name: str, sensitive: tuple[str, ...]) -> bool:
    return name in sensitive or name.endswith(tuple(f"_{word}" for word in sensitive))


def _hashed(value: Any, hash_key: str) -> str:
    digest = hmac.new(hash_key.encode(), str(value).encode(), "sha256").hexdigest()
    return f"hmac-sha256:{digest[:_HASH_DIGITS]}"
