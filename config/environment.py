"""Variables that only the standalone project reads. A host project sets Django's own settings instead."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from core.conf import ORIGIN, PAGE_ORIGINS, SWITCH, TEXT, WORDS, Kind, Malformed, declare, one_of, setting

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


_POSTGRESQL = ("postgres://", "postgresql://")
_SQLITE = "sqlite:///"


def _read_database(value: object) -> str:
    text: str = TEXT.read(value)
    if text.startswith(_SQLITE) and text != _SQLITE:
        return text
    return _read_postgresql(text)


def _read_postgresql(value: object) -> str:
    text: str = TEXT.read(value)
    if not text.startswith(_POSTGRESQL):
        raise ValueError
    if not _has_one_name(text):
        raise Malformed("percent-encode the password: %2F for /, %23 for #, %3F for ?, %40 for @ and %25 for %")
    return text


def _has_one_name(url: str) -> bool:
    """Return whether the URL has a valid port, and the name of one database as its path.

    A password with `/`, `#` or `?` ends the host too early. The rest of the URL then has another form.
    """
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return False
    name = parts.path.removeprefix("/")
    return bool(name) and not parts.fragment and not {"/", "@"} & set(name)


POSTGRESQL_URL = Kind("postgresql://USER:PASSWORD@HOST:PORT/NAME", _read_postgresql)


@declare
@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSettings:
    """The variables from which the standalone project sets Django's own settings."""

    database_url: str = setting(
        "DATABASE_URL",
        "sqlite:///var/auth.sqlite3",
        Kind("sqlite:///PATH or postgresql://USER:PASSWORD@HOST:PORT/NAME", _read_database),
        "The database. `sqlite:///` is for an embedded deployment, `postgresql://` for a full deployment.",
    )
    database_pooler: str = setting(
        "DATABASE_POOLER",
        "",
        Kind("transaction", one_of("transaction").read),
        "The mode of the pooler, such as PgBouncer, that DATABASE_URL leads to. Unset: DATABASE_URL leads to PostgreSQL "
        "itself, or to a pooler in session mode.",
    )
    database_direct_url: str = setting(
        "DATABASE_DIRECT_URL",
        "",
        POSTGRESQL_URL,
        "The same database without the pooler, for migrations. Needed with DATABASE_POOLER, and otherwise not read.",
    )
    secret_key: str = setting(
        "SECRET_KEY",
        "",
        TEXT,
        "Django's secret key. Use at least 50 random characters. Without a key, the service does not start.",
    )
    base_url: str = setting(
        "BASE_URL",
        "http://localhost:8000",
        ORIGIN,
        "The address at which users reach the service. Links in mails start with it.",
    )
    allowed_hosts: tuple[str, ...] = setting(
        "ALLOWED_HOSTS",
        (),
        WORDS,
        "Host names that clients may use. Unset: the host name of BASE_URL, `localhost`, `127.0.0.1` and `[::1]`.",
    )
    debug: bool = setting("DEBUG", False, SWITCH, "Django's debug mode. Never turn it on in production.")
    hsts_include_subdomains: bool = setting(
        "HSTS_INCLUDE_SUBDOMAINS",
        False,
        SWITCH,
        "Whether the HSTS header also applies to the subdomains of BASE_URL's host. Browsers then use only https for them, "
        "for a year after a visit.",
    )
    log_level: str = setting(
        "LOG_LEVEL", "info", one_of("debug", "info", "warn", "error"), "Lowest level of the lines in the log."
    )
    cors_allowed_origins: tuple[str, ...] = setting(
        "CORS_ALLOWED_ORIGINS", (), PAGE_ORIGINS, "Origins of the web pages that may call the API from a browser."
    )

    def __post_init__(self) -> None:
        """Raise ImproperlyConfigured when there is no secret key, or when a pooler has no direct URL beside it.

        Without a key, Django would fail only at the first login.
        """
        if not self.secret_key:
            raise ImproperlyConfigured("SECRET_KEY must be set to at least 50 random characters.")
        if not self.database_pooler:
            return
        if not self.database_url.startswith(_POSTGRESQL):
            raise ImproperlyConfigured("DATABASE_POOLER needs a DATABASE_URL that starts with postgresql://.")
        if not self.database_direct_url:
            raise ImproperlyConfigured(
                "DATABASE_POOLER needs DATABASE_DIRECT_URL, which leads to the same database without the pooler."
            )

    @property
    def hosts(self) -> tuple[str, ...]:
        """The host names that the service answers: ALLOWED_HOSTS, or BASE_URL's host and the loopback names."""
        return self.allowed_hosts or (urlsplit(self.base_url).hostname or "", *_LOOPBACK)
