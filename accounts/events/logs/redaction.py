"""What of a log line may leave the house: fields that are known to be harmless, those that name people redacted."""

import hmac
from collections.abc import Mapping
from typing import Any

ALLOWED = frozenset(
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
        "ip",
        "job",
        "kind",
        "mail_id",
        "method",
        "next_attempt_seconds",
        "pid",
        "process_name",
        "reason",
        "request_id",
        "route",
        "status",
        "template",
        "user_id",
    }
)
"""Names of the fields that our own log lines have. One that is not here stays at home, whatever it holds."""

CREDENTIALS = ("token", "password", "authorization", "secret", "dsn", "api_key", "cookie")
PERSONAL = ("ip", "user_id", "email")

MASK = "[redacted]"
_HASH_DIGITS = 16


def redact(fields: Mapping[str, Any], *, hash_key: str | None) -> dict[str, Any]:
    """Return the fields with what is sensitive replaced, at any depth; with a `hash_key` people can be told apart.

    Sensitive is a field whose name is one of CREDENTIALS or PERSONAL, or ends in `_` and one of them, in any case.
    """
    return {name: _redact(name.lower(), value, hash_key=hash_key) for name, value in fields.items()}


def _redact(name: str, value: Any, *, hash_key: str | None) -> Any:
    if _is_among(name, CREDENTIALS):
        return MASK
    if _is_among(name, PERSONAL):
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
