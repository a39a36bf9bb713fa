"""Settings of the sessions app: lifetimes and places."""

from dataclasses import dataclass

from accounts.core.conf import SECONDS, TEXT, section, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionsSettings:
    """What the sessions app reads of its deployment."""

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


conf = section(SessionsSettings)
