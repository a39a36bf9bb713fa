"""Settings of the console: its sessions in a browser, and the schedule of digests."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from core.conf import TEXT, Kind, core_settings, one_of, section, setting, whole

LABEL_MAX = 24
"""The most characters of the label of an environment. A longer one would not fit beside the name on a phone."""


def _read_label(value: Any) -> str:
    text: str = TEXT.read(value).strip()
    if len(text) > LABEL_MAX:
        raise ValueError
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestSettings:
    """The interval between recorded digests, and their retention."""

    interval_hours: int | None = setting(
        "DIGEST_INTERVAL_HOURS",
        None,
        whole(1, 8760),
        "Hours between two recorded digests. Unset: no digests are recorded.",
        default_text="unset",
    )
    retention_days: int = setting(
        "RETENTION_DIGEST_DAYS", 730, whole(1, 36_500), "Days for which recorded digests are kept."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserSettings:
    """Settings of operators' sessions in a browser."""

    idle_seconds: int = setting(
        "CONSOLE_IDLE_SECONDS",
        1800,
        whole(60, 86_400),
        "Time after which an unused session of the console at `/console/` ends, in seconds.",
    )
    absolute_seconds: int = setting(
        "CONSOLE_SECONDS",
        43_200,
        whole(300, 2_592_000),
        "Maximum lifetime of a session of the console at `/console/`, in seconds.",
    )
    reauth_seconds: int = setting(
        "CONSOLE_REAUTH_SECONDS",
        600,
        whole(60, 86_400),
        "Time after a sign-in or a confirmation in which an operator can change claims and settings in the console "
        "at `/console/`, in seconds. Afterwards, the console asks for a second factor again.",
    )
    second_factor: str | None = setting(
        "OPERATOR_SECOND_FACTOR",
        None,
        one_of("required", "optional"),
        "Whether an operator needs a second factor. An operator without one must enrol it before the console at `/console/` "
        "shows anything else, and cannot use the routes below `/v1/admin`.",
        default_text="`required` when ENCRYPTION_KEY is set, else `optional`",
    )

    environment_label: str = setting(
        "ENVIRONMENT_LABEL",
        "",
        Kind(f"text of at most {LABEL_MAX} characters", _read_label),
        "Name of the deployment, such as `staging`. The console shows it in the header and in the title of each page, so "
        "that operators do not mistake one deployment for another.",
    )

    @property
    def idle(self) -> timedelta:
        """The time after which an unused session ends."""
        return timedelta(seconds=self.idle_seconds)

    @property
    def absolute(self) -> timedelta:
        """The maximum lifetime of a session."""
        return timedelta(seconds=self.absolute_seconds)

    @property
    def reauth(self) -> timedelta:
        """The time after an authentication in which an operator can change settings."""
        return timedelta(seconds=self.reauth_seconds)

    @property
    def needs_factor(self) -> bool:
        """Whether an operator needs a second factor."""
        if self.second_factor is None:
            return bool(core_settings().encryption_keys)
        return self.second_factor == "required"


browser_settings = section(BrowserSettings)
digest_settings = section(DigestSettings)


def read_settings() -> None:
    """Read the settings. Raises ImproperlyConfigured when one of them is malformed."""
    browser_settings()
    digest_settings()
