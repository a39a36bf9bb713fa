"""Settings of the sessions app: lifetimes, locations, and thresholds of detection."""

from dataclasses import dataclass

from accounts.core.conf import SECONDS, SWITCH, TEXT, section, setting, whole

MINUTES = whole(1, 1440)
KNOWN_LOGINS = 50
"""The number of an account's latest logins that determine its known IP addresses and devices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionsSettings:
    """Settings of lifetimes and locations."""

    refresh_idle_seconds: int = setting(
        "REFRESH_IDLE_SECONDS", 2_592_000, SECONDS, "How long a refresh token lives unused, in seconds."
    )
    refresh_absolute_seconds: int = setting(
        "REFRESH_ABSOLUTE_SECONDS",
        15_552_000,
        SECONDS,
        "How long a session lives at most, however often refreshed, in seconds.",
    )
    pending_token_seconds: int = setting(
        "PENDING_TOKEN_SECONDS", 300, SECONDS, "How long a login waits for its second factor, in seconds."
    )
    magic_link_seconds: int = setting("MAGIC_LINK_SECONDS", 900, SECONDS, "Lifetime of a magic link, in seconds.")
    geoip: str = setting(
        "GEOIP",
        "",
        TEXT,
        "`country` for the built-in country table, or the path of a MaxMind-format file; empty: no places.",
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
        "Minutes in which failures are counted, and in which an account's signal is reported once.",
    )
    user_failures: int = setting(
        "ANOMALY_USER_FAILURES", 5, whole(1), "Failed logins of one account that are suspicious."
    )
    ip_failures: int = setting("ANOMALY_IP_FAILURES", 20, whole(1), "Failed logins of one address that are suspicious.")
    max_sessions: int = setting("ANOMALY_MAX_SESSIONS", 10, whole(1), "Live sessions that are not yet suspicious.")
    reuse_hours: int = setting(
        "ANOMALY_REUSE_HOURS", 24, whole(1, 8760), "Hours for which a reused refresh token makes logins suspicious."
    )
    min_history: int = setting(
        "ANOMALY_MIN_HISTORY",
        3,
        whole(1, KNOWN_LOGINS),
        "Earlier logins from which on an address or a device can be new.",
    )
    stuffing_window_minutes: int = setting(
        "STUFFING_WINDOW_MINUTES", 60, MINUTES, "Minutes in which the accounts that one address fails at are counted."
    )
    stuffing_accounts: int = setting(
        "STUFFING_ACCOUNTS", 10, whole(1), "Different accounts, known or not, that make it credential stuffing."
    )
    stuffing_cooldown_minutes: int = setting(
        "STUFFING_COOLDOWN_MINUTES", 15, MINUTES, "Minutes in which an address is reported once."
    )


settings = section(SessionsSettings)
detection_settings = section(DetectionSettings)
