"""Settings of the console: its sessions, the OAuth providers whose health it reports, and the schedule of digests."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, make_dataclass
from datetime import timedelta
from typing import Any

from accounts.core.conf import TEXT, URL, core_settings, one_of, section, setting, whole

AUTHORIZE_URLS: Mapping[str, str] = {
    "google": "https://accounts.google.com/o/oauth2/v2/auth",
    "github": "https://github.com/login/oauth/authorize",
    "microsoft": "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
    "gitlab": "https://gitlab.com/oauth/authorize",
    "discord": "https://discord.com/oauth2/authorize",
    "apple": "https://appleid.apple.com/auth/authorize",
}
"""The known address of each provider's authorization page, by the provider's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """An OAuth provider. It is configured when it has both a client id and a client secret."""

    name: str
    is_configured: bool
    authorize_url: str


def _fields_of(name: str) -> list[tuple[str, type, Any]]:
    variable = f"OAUTH_{name.upper()}"
    return [
        (
            f"{name}_client_id",
            str,
            setting(f"{variable}_CLIENT_ID", "", TEXT, f"Client id of your application at {name}."),
        ),
        (
            f"{name}_client_secret",
            str,
            setting(f"{variable}_CLIENT_SECRET", "", TEXT, f"Client secret of your application at {name}."),
        ),
        (
            f"{name}_authorize_url",
            str,
            setting(
                f"{variable}_AUTHORIZE_URL",
                "",
                URL,
                f"Address of the authorization page of {name}. Unset: the public address of {name}.",
            ),
        ),
    ]


OAuthSettings = make_dataclass(
    "OAuthSettings",
    [item for name in AUTHORIZE_URLS for item in _fields_of(name)],
    namespace={"__module__": __name__, "__doc__": "Your applications at the OAuth providers."},
    frozen=True,
    slots=True,
    kw_only=True,
)


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
        "Time after a sign-in or a confirmation in which an operator can change settings in the console at `/console/`, "
        "in seconds. Afterwards, the console asks for a second factor again.",
    )
    second_factor: str | None = setting(
        "OPERATOR_SECOND_FACTOR",
        None,
        one_of("required", "optional"),
        "Whether an operator without a second factor must enrol one before the console at `/console/` shows anything "
        "else.",
        default_text="`required` when ENCRYPTION_KEY is set, else `optional`",
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
_oauth_settings: Callable[[], Any] = section(OAuthSettings)


def read_settings() -> None:
    """Read the settings. Raises ImproperlyConfigured when one of them is malformed."""
    _oauth_settings()
    browser_settings()
    digest_settings()


def providers() -> list[Provider]:
    """Return every provider, configured or not, in the order of AUTHORIZE_URLS."""
    oauth = _oauth_settings()
    return [
        Provider(
            name=name,
            is_configured=bool(getattr(oauth, f"{name}_client_id") and getattr(oauth, f"{name}_client_secret")),
            authorize_url=getattr(oauth, f"{name}_authorize_url") or known,
        )
        for name, known in AUTHORIZE_URLS.items()
    ]
