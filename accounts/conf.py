"""Settings of the accounts app: passwords, lockout, retention."""

from dataclasses import dataclass
from typing import Any

from .core.conf import SECONDS, SWITCH, URL, WORDS, Kind, section, setting, whole

PASSWORD_CLASSES = ("uppercase", "lowercase", "digit", "symbol", "not_email")


def _read_classes(value: Any) -> tuple[str, ...]:
    words: tuple[str, ...] = WORDS.read(value)
    if set(words) - set(PASSWORD_CLASSES):
        raise ValueError
    return words


def _read_breached(value: Any) -> str:
    return value if value in ("offline", "off") else URL.read(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountsSettings:
    """Settings of passwords and of the lock."""

    lockout_threshold: int = setting("LOCKOUT_THRESHOLD", 5, whole(1), "Failures in a row that lock an account.")
    lockout_seconds: int = setting(
        "LOCKOUT_SECONDS",
        900,
        SECONDS,
        "How long a lock lasts, in seconds. From the twentieth lock in a row on, each lasts twice as long as the one "
        "before, up to 24 hours; a completed login ends the row.",
    )
    password_min_length: int = setting("PASSWORD_MIN_LENGTH", 8, whole(1, 256), "Shortest password, in characters.")
    password_require: tuple[str, ...] = setting(
        "PASSWORD_REQUIRE",
        (),
        Kind("a comma-separated list out of " + ", ".join(PASSWORD_CLASSES), _read_classes),
        "What a password must hold besides; `not_email` forbids the address's local part in it.",
    )
    breached_passwords: str = setting(
        "BREACHED_PASSWORDS",
        "offline",
        Kind("offline, off or the URL of a k-anonymity range API", _read_breached),
        "Where passwords known from breaches are looked up.",
    )
    argon2_memory_kib: int = setting("ARGON2_MEMORY_KIB", 19456, whole(8), "Memory of one Argon2id hash, in KiB.")
    argon2_time: int = setting("ARGON2_TIME", 2, whole(1), "Passes of one Argon2id hash.")
    argon2_parallelism: int = setting("ARGON2_PARALLELISM", 1, whole(1, 255), "Lanes of one Argon2id hash.")
    password_hash_upgrade: bool | None = setting(
        "PASSWORD_HASH_UPGRADE",
        None,
        SWITCH,
        "Whether a login replaces a stored hash of another format or of other costs by one of today's.",
        default_text="on; off in a Django site of your own",
    )
    password_hash_concurrency: int | None = setting(
        "PASSWORD_HASH_CONCURRENCY",
        None,
        whole(1),
        "Hashes that a process computes at once. Twice as many as it could alone wait, and the next caller gets 503.",
        default_text="processor count, shared out among the web processes of `serve`",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionSettings:
    """Settings of the retention of audit events."""

    audit_days: int = setting(
        "RETENTION_AUDIT_DAYS",
        400,
        whole(1, 36_500),
        "Days that audit events are kept; judged ones, and those that all-time counts are made of, stay.",
    )


settings = section(AccountsSettings)
retention_settings = section(RetentionSettings)
