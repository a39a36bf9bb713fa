"""Settings of the sessions app: lifetimes, locations, and thresholds of detection."""

from dataclasses import dataclass
from typing import Any

from core.conf import SECONDS, SWITCH, TEXT, WORDS, Kind, section, setting, whole

MINUTES = whole(1, 1440)
KNOWN_LOGINS = 50
"""The number of an account's latest logins that determine its known IP addresses and devices."""
LOGIN_CLAIMS = ("auth_time", "amr")


def _read_login_claims(value: Any) -> tuple[str, ...]:
    words: tuple[str, ...] = WORDS.read(value)
    if set(words) - set(LOGIN_CLAIMS):
        raise ValueError
    return words


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
        "Number of failed logins from an IP address that is reported as suspicious.",
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
        "Number of different accounts with failed logins from one IP address that count as credential stuffing. Unknown "
        "e-mail addresses count as accounts.",
    )
    stuffing_cooldown_minutes: int = setting(
        "STUFFING_COOLDOWN_MINUTES", 15, MINUTES, "Minutes in which the same IP address is reported once."
    )


settings = section(SessionsSettings)
detection_settings = section(DetectionSettings)
