"""Settings of the accounts app: passwords, lockout, retention, Django's admin."""

import re
from dataclasses import dataclass
from typing import Any

from core.addresses import host_key
from core.conf import SECONDS, SWITCH, URL, WORDS, Kind, Malformed, one_of, section, setting, whole

PASSWORD_CLASSES = ("uppercase", "lowercase", "digit", "symbol", "not_email")


def _read_classes(value: Any) -> tuple[str, ...]:
    words: tuple[str, ...] = WORDS.read(value)
    if set(words) - set(PASSWORD_CLASSES):
        raise ValueError
    return words


def _read_login_name(value: Any) -> str:
    if value not in ("email", "username"):
        raise ValueError
    return str(value)


def _read_breached(value: Any) -> str:
    return value if value in ("offline", "off") else URL.read(value)


def _read_seconds_or_off(value: Any) -> int | None:
    return None if value == "off" else SECONDS.read(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountsSettings:
    """Settings of logins with a password, and of the lock."""

    login_name: str = setting(
        "LOGIN_NAME",
        "email",
        Kind("email or username", _read_login_name),
        "The value that the member `email` of a login with a password contains: the `email` of the user, or in a host "
        "project the `username`, which is the value of USERNAME_FIELD.",
    )
    lockout_threshold: int = setting(
        "LOCKOUT_THRESHOLD", 5, whole(1), "Number of consecutive failed attempts that lock an account."
    )
    lockout_seconds: int = setting(
        "LOCKOUT_SECONDS",
        900,
        SECONDS,
        "Duration of a lock, in seconds. From the twentieth consecutive lock on, each lock lasts twice as long as the one "
        "before, up to 24 hours. A completed login makes the locks short again.",
    )
    recent_login_seconds: int | None = setting(
        "RECENT_LOGIN_SECONDS",
        600,
        Kind(f"off or {SECONDS.expects}", _read_seconds_or_off),
        "Time after a login or a reauthentication in which a session can change credentials, and an operator's "
        "session can write, in seconds. `off`: no limit.",
    )
    password_min_length: int = setting(
        "PASSWORD_MIN_LENGTH", 8, whole(1, 256), "Minimum length of a password, in characters."
    )
    password_require: tuple[str, ...] = setting(
        "PASSWORD_REQUIRE",
        (),
        Kind("a comma-separated list of these words: " + ", ".join(PASSWORD_CLASSES), _read_classes),
        "Additional rules for passwords: the kinds of characters that a password must contain. With `not_email` it must not "
        "contain the local part of the e-mail address.",
    )
    breached_passwords: str = setting(
        "BREACHED_PASSWORDS",
        "offline",
        Kind("offline, off or the URL of a k-anonymity range API", _read_breached),
        "Source of the passwords that are known from data breaches. `offline` is a built-in list of common passwords.",
    )
    argon2_memory_kib: int = setting("ARGON2_MEMORY_KIB", 19456, whole(8), "Memory of an Argon2id hash, in KiB.")
    argon2_time: int = setting("ARGON2_TIME", 2, whole(1), "Number of passes of an Argon2id hash.")
    argon2_parallelism: int = setting("ARGON2_PARALLELISM", 1, whole(1, 255), "Number of lanes of an Argon2id hash.")
    password_hash_upgrade: bool | None = setting(
        "PASSWORD_HASH_UPGRADE",
        None,
        SWITCH,
        "Whether a login replaces a stored password hash that has another format, other costs or a salt of another length.",
        default_text="on; off in a host project",
    )
    password_hash_concurrency: int | None = setting(
        "PASSWORD_HASH_CONCURRENCY",
        None,
        whole(1),
        "Number of password hashes that are computed at the same time: by all web processes of `serve` together, or by "
        "each process of a host project.",
        default_text="the number of processors",
    )
    password_hash_wait_seconds: int = setting(
        "PASSWORD_HASH_WAIT_SECONDS",
        2,
        SECONDS,
        "Time for which a request waits for its turn to compute a hash, in seconds. After that it gets 503.",
    )

    @property
    def logs_in_by_user_name(self) -> bool:
        """Whether users log in by their user name instead of their address."""
        return self.login_name == "username"


def _read_domains(value: Any) -> tuple[str, ...]:
    return tuple(_read_domain(word) for word in WORDS.read(value))


def _read_domain(word: str) -> str:
    if "." not in word or not re.fullmatch(r"[^\s@*/:]+", word):
        raise Malformed(f"{word!r} is not a domain such as example.com")
    return host_key(word)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignUpSettings:
    """Settings of sign-ups."""

    sign_up: str | None = setting(
        "SIGNUP",
        None,
        one_of("open", "invited", "closed"),
        "Who may sign up, by password or by a provider: every person, only invited persons, or no one. "
        "`manage.py users create` makes accounts in any case.",
        default_text="open",
    )
    domains: tuple[str, ...] = setting(
        "SIGNUP_DOMAINS",
        (),
        Kind("a comma-separated list of domains such as example.com", _read_domains),
        "Domains of the addresses that may sign up while `SIGNUP` is open. A subdomain is another domain. An invitation can "
        "go to any domain. Unset: all domains.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionSettings:
    """Settings of the retention of audit events."""

    audit_days: int = setting(
        "RETENTION_AUDIT_DAYS",
        400,
        whole(1, 36_500),
        "Days for which audit events are kept. Reviewed events, and events that the all-time counts need, stay forever.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminSettings:
    """Settings of Django's admin."""

    is_shown: bool = setting(
        "DJANGO_ADMIN",
        True,
        SWITCH,
        "Whether Django's admin of a host project shows accounts, sessions, audit events and webhook deliveries, read-only.",
    )


settings = section(AccountsSettings)
sign_up_settings = section(SignUpSettings)
admin_settings = section(AdminSettings)
retention_settings = section(RetentionSettings)
