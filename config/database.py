"""Django's settings for the two kinds of database that a deployment can run on."""

from pathlib import Path
from typing import Any

import dj_database_url

BUSY_SECONDS = 10


def database_of(url: str, *, base_dir: Path) -> dict[str, Any]:
    """Return Django's settings for a `sqlite:///path` or `postgresql://` URL.

    The SQLite path is relative to `base_dir`. The call creates the directory of the SQLite file with mode 700.
    """
    parsed: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=None))
    options: dict[str, Any] = parsed.setdefault("OPTIONS", {})
    if parsed["ENGINE"] == "django.db.backends.sqlite3":
        parsed["NAME"] = str(base_dir / parsed["NAME"])
        Path(parsed["NAME"]).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        options |= {
            "timeout": BUSY_SECONDS,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL",
        }
        return parsed
    parsed["ENGINE"] = "accounts.core.db.postgresql"
    options.setdefault("connect_timeout", 2)
    options |= {
        "tcp_user_timeout": 3000,
        # When the database's machine is unreachable, the kernel ends an idle connection after eight seconds.
        "keepalives_idle": 5,
        "keepalives_interval": 3,
        "server_side_binding": True,
        # The service runs a small, fixed set of statements, so preparing them early pays. Statements of migrations
        # cannot be prepared, but each of them runs only once.
        "prepare_threshold": 1,
    }
    return parsed
