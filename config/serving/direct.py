"""The connection that reaches PostgreSQL without a pooler."""

from django.conf import settings
from django.db import connection

from accounts.core.db.deployment import use_database


def use_direct_database() -> bool:
    """Make this process reach PostgreSQL without the pooler, and return whether the settings name a pooler.

    A second call changes nothing.

    Locks and settings of a session need this connection. In transaction mode a pooler would keep a lock after the
    client has gone, and give it to the next client.
    """
    direct = getattr(settings, "DIRECT_DATABASE", None)
    if direct is not None and connection.settings_dict is not direct:
        use_database(direct)
    return direct is not None
