"""Django's settings for the two kinds of database that a deployment can run on. The options in a URL win over these."""

from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

_SQLITE = {
    "timeout": 10,
    "transaction_mode": "IMMEDIATE",
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL",
}
_POSTGRESQL = {
    "connect_timeout": 2,
    "tcp_user_timeout": 3000,
    # When the database's machine is unreachable, the kernel ends an idle connection after eight seconds.
    "keepalives_idle": 5,
    "keepalives_interval": 3,
    "server_side_binding": True,
    # The service runs a small, fixed set of statements, so preparing them early pays. Statements of migrations
    # cannot be prepared, but each of them runs only once.
    "prepare_threshold": 1,
}


def database_of(url: str, *, base_dir: Path) -> dict[str, Any]:
    """Return Django's settings for a `sqlite:///path` or `postgresql://` URL.

    The SQLite path is relative to `base_dir`. The call creates the directory of the SQLite file with mode 700. Raises
    ImproperlyConfigured when it cannot create that directory.
    """
    parsed = _parse(url)
    if parsed["ENGINE"] != "django.db.backends.sqlite3":
        return _on_postgresql(parsed, options=_POSTGRESQL)
    path = base_dir / parsed["NAME"]
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"DATABASE_URL: {path.parent} cannot be made: {error.strerror}.") from None
    return parsed | {"NAME": str(path), "OPTIONS": _SQLITE | parsed["OPTIONS"]}


def pooled_database_of(url: str) -> dict[str, Any]:
    """Return Django's settings for the `postgresql://` URL of a pooler in transaction mode.

    Two transactions may run on two connections to PostgreSQL, which other clients use in between. Therefore the service
    prepares no statement, and opens no cursor on the server outside a transaction.
    """
    settings = _on_postgresql(_parse(url), options={**_POSTGRESQL, "prepare_threshold": None})
    return settings | {"DISABLE_SERVER_SIDE_CURSORS": True}


def _parse(url: str) -> dict[str, Any]:
    return {"OPTIONS": {}, **dj_database_url.parse(url, conn_max_age=None)}


def _on_postgresql(parsed: dict[str, Any], *, options: dict[str, Any]) -> dict[str, Any]:
    return parsed | {"ENGINE": "core.db.postgresql", "OPTIONS": options | parsed["OPTIONS"]}
