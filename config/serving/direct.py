"""The connection that reaches PostgreSQL without a pooler."""

from django.conf import settings
from django.db import connection

from core.db.deployment import use_database


def has_pooler() -> bool:
    """Tell whether the deployment reaches PostgreSQL through a pooler in transaction mode."""
    return hasattr(settings, "DIRECT_DATABASE")


def use_direct_database() -> None:
    """Make this process reach PostgreSQL without the pooler, if there is one. A second call changes nothing.

    Locks and settings of a session need this connection. In transaction mode a pooler would keep a lock after the end
    of the client. The next client would then have the lock.
    """
    if has_pooler() and connection.settings_dict is not settings.DIRECT_DATABASE:
        use_database(settings.DIRECT_DATABASE)
