"""Variables that only the standalone project reads. A host project sets Django's own settings instead."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from accounts.core.conf import ORIGIN, ORIGINS, SWITCH, TEXT, WORDS, Kind, declare, one_of, setting

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def _read_database(value: object) -> str:
    text: str = TEXT.read(value)
    if not text.startswith(("sqlite:///", "postgres://", "postgresql://")):
        raise ValueError
    return text


@declare
@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSettings:
    """The settings of Django that a deployment chooses."""

    database_url: str = setting(
        "DATABASE_URL",
        "sqlite:///var/auth.sqlite3",
        Kind("sqlite:///PATH or postgresql://USER:PASSWORD@HOST:PORT/NAME", _read_database),
        "`sqlite:///` is the embedded deployment, `postgresql://` the full one.",
    )
    secret_key: str = setting("SECRET_KEY", "", TEXT, "Django's secret key; unset stops the start.")
    base_url: str = setting("BASE_URL", "http://localhost:8000", ORIGIN, "Where people reach the service.")
    allowed_hosts: tuple[str, ...] = setting(
        "ALLOWED_HOSTS", (), WORDS, "Host names that are answered; BASE_URL's and the loopback names when unset."
    )
    debug: bool = setting("DEBUG", False, SWITCH, "Django's debug mode; never on in production.")
    hsts_include_subdomains: bool = setting(
        "HSTS_INCLUDE_SUBDOMAINS",
        False,
        SWITCH,
        "Whether browsers insist on https for the subdomains of BASE_URL's host too, for a year after a visit.",
    )
    log_level: str = setting(
        "LOG_LEVEL", "info", one_of("debug", "info", "warn", "error"), "Lowest level that is logged."
    )
    cors_allowed_origins: tuple[str, ...] = setting(
        "CORS_ALLOWED_ORIGINS", (), ORIGINS, "Origins whose pages may call the API from a browser."
    )

    def __post_init__(self) -> None:
        """Raise ImproperlyConfigured without a secret key. Django would fail only at the first login."""
        if not self.secret_key:
            raise ImproperlyConfigured("SECRET_KEY must be set, to 50 random characters or more.")

    @property
    def hosts(self) -> tuple[str, ...]:
        """The host names that the service answers: ALLOWED_HOSTS, or BASE_URL's host and the loopback names."""
        return self.allowed_hosts or (urlsplit(self.base_url).hostname or "", *_LOOPBACK)
