"""The two databases that a deployment can run on."""

from pathlib import Path
from typing import Any

import dj_database_url

BUSY_SECONDS = 10


def database_of(url: str, *, base_dir: Path) -> dict[str, Any]:
    """Return Django's settings for a `sqlite:///path` (relative to `base_dir`) or `postgresql://` URL."""
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
        # The kernel finds an idle connection to a machine that is gone after eight seconds, and so do we.
        "keepalives_idle": 5,
        "keepalives_interval": 3,
        "server_side_binding": True,
        # What runs here is a small, fixed set of statements; migrations, which cannot be prepared, run each once.
        "prepare_threshold": 1,
    }
    return parsed
