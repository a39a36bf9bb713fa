"""Settings of the sessions app: lifetimes, locations, and thresholds of detection."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from accounts.conf import settings as account_settings
from core.conf import SECONDS, SWITCH, TEXT, URL, WORDS, Kind, section, setting, whole
from events.conf import SIGNING_SECRETS

MINUTES = whole(1, 1440)
KNOWN_LOGINS = 50
"""The number of an account's latest logins that determine its known IP addresses and devices."""
LOGIN_CLAIMS = ("auth_time", "amr")


def _read_login_claims(value: Any) -> tuple[str, ...]:
    words: tuple[str, ...] = WORDS.read(value)
    if set(words) - set(LOGIN_CLAIMS):
        raise ValueError
    return words


_SOURCE = re.compile(r"[A-Za-z0-9_.-]{1,64}", re.ASCII)


def _read_source(value: Any) -> str:
    if not isinstance(value, str) or not _SOURCE.fullmatch(value):
        raise ValueError
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionsSettings:
    """Settings of lifetimes and locations."""

    refresh_idle_seconds: int = setting(
        "REFRESH_IDLE_SECONDS", 2_592_000, SECONDS, "Lifetime of an unused refresh token, in seconds."
    )
    refresh_absolute_seconds: int = setting(
        "REFRESH_ABSOLUTE_SECONDS",
        15_552_000,
        SECONDS,
        "Maximum lifetime of a session, in seconds. Refreshes do not extend it.",
    )
    pending_token_seconds: int = setting(
        "PENDING_TOKEN_SECONDS",
        300,
        SECONDS,
        "Time in which a user must complete a login with the second factor, in seconds.",
    )
    magic_link_seconds: int = setting("MAGIC_LINK_SECONDS", 900, SECONDS, "Lifetime of a magic link, in seconds.")
    max_sessions: int | None = setting(
        "MAX_SESSIONS",
        None,
        whole(1),
        "Number of live sessions of an account. A login beyond it ends the session whose login is the oldest. Unset: no limit.",
    )
    access_token_claims: tuple[str, ...] = setting(
        "ACCESS_TOKEN_CLAIMS",
        (),
        Kind(f"a comma-separated list of these words: {', '.join(LOGIN_CLAIMS)}", _read_login_claims),
        "Additional claims of an access token about the login of its session: its time (`auth_time`) and its methods "
        "(`amr`).",
    )
    geoip: str = setting(
        "GEOIP",
        "",
        TEXT,
        "`country` for the built-in table of countries, or the path of a file in MaxMind format. Unset: sessions have no "
        "location.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectionSettings:
    """Settings of detection: when a login is reported as suspicious."""

    is_on: bool = setting(
        "ANOMALY_DETECTION", True, SWITCH, "Whether suspicious logins and credential stuffing are reported."
    )
    window_minutes: int = setting(
        "ANOMALY_WINDOW_MINUTES",
        15,
        MINUTES,
        "Minutes in which failed logins are counted. Within them, the same signal of an account is reported once.",
    )
    user_failures: int = setting(
        "ANOMALY_USER_FAILURES", 5, whole(1), "Number of failed logins of an account that is reported as suspicious."
    )
    ip_failures: int = setting(
        "ANOMALY_IP_FAILURES",
        20,
        whole(1),
        "Number of failed logins from an IP address, or from an IPv6 /64, that is reported as suspicious.",
    )
    max_sessions: int = setting(
        "ANOMALY_MAX_SESSIONS",
        10,
        whole(1),
        "Number of live sessions that an account can have. More are reported as suspicious.",
    )
    reuse_hours: int = setting(
        "ANOMALY_REUSE_HOURS",
        24,
        whole(1, 8760),
        "Hours for which logins are suspicious after a refresh token of the account was reused.",
    )
    min_history: int = setting(
        "ANOMALY_MIN_HISTORY",
        3,
        whole(1, KNOWN_LOGINS),
        "Number of earlier logins from which on a new IP address or a new device is reported as suspicious.",
    )
    stuffing_window_minutes: int = setting(
        "STUFFING_WINDOW_MINUTES",
        60,
        MINUTES,
        "Minutes in which the accounts with failed logins from one IP address are counted.",
    )
    stuffing_accounts: int = setting(
        "STUFFING_ACCOUNTS",
        10,
        whole(1),
        "Number of different accounts with failed logins from one IP address, or from one IPv6 /64, that count as credential stuffing. Unknown "
        "e-mail addresses count as accounts.",
    )
    stuffing_cooldown_minutes: int = setting(
        "STUFFING_COOLDOWN_MINUTES", 15, MINUTES, "Minutes in which the same IP address is reported once."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FallbackSettings:
    """Settings of the old system that logins ask about unknown addresses."""

    url: str = setting(
        "LOGIN_FALLBACK_URL",
        "",
        URL,
        "https URL of an old system. A login with an unknown address asks it, and a yes creates the account. Unset: a login "
        "asks no other system.",
    )
    secrets: tuple[bytes, ...] = setting(
        "LOGIN_FALLBACK_SECRET",
        (),
        SIGNING_SECRETS,
        "Secret that signs each question to the old system, in the form of WEBHOOK_SECRET.",
    )
    source: str = setting(
        "LOGIN_FALLBACK_SOURCE",
        "gatehouse",
        Kind("at most 64 letters, digits and _ . -", _read_source),
        "Name of the old system, which makes its ids differ from those of other systems. It is the `--source` of an import "
        "from the same system.",
    )
    seconds: int = setting(
        "LOGIN_FALLBACK_SECONDS", 3, whole(1, 10), "Time in which the old system must answer, in seconds."
    )


settings = section(SessionsSettings)
fallback_settings = section(FallbackSettings)
detection_settings = section(DetectionSettings)


def check_fallback() -> None:
    """Raise ImproperlyConfigured when valid settings of the old system do not fit together."""
    fallback = fallback_settings()
    if not fallback.url:
        return
    if urlsplit(fallback.url).scheme != "https":
        raise ImproperlyConfigured("LOGIN_FALLBACK_URL must be https, because each request contains a password.")
    if not fallback.secrets:
        raise ImproperlyConfigured(
            "LOGIN_FALLBACK_URL needs LOGIN_FALLBACK_SECRET. Set it to whsec_ and 32 random bytes in standard base64."
        )
    if account_settings().logs_in_by_user_name:
        raise ImproperlyConfigured("LOGIN_FALLBACK_URL needs LOGIN_NAME=email, because the old system knows addresses.")
