"""The kind of the deployment, embedded or full, standalone or in a host project, and the choice of its database."""

from typing import Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections

STANDALONE_USER = "authsvc_accounts.User"


def is_embedded() -> bool:
    """Tell whether the deployment is embedded: it has no console and its database is not PostgreSQL.

    The check opens no connection to the database.
    """
    return connections[DEFAULT_DB_ALIAS].vendor != "postgresql"


def has_own_users() -> bool:
    """Tell whether the users have the standalone project's model, and not the model of a host project."""
    return settings.AUTH_USER_MODEL == STANDALONE_USER


def use_database(database: dict[str, Any]) -> None:
    """Make the default connection of this thread, and of all later threads, lead to this database.

    `database` has the form of an entry of Django's setting DATABASES. Call this function while no other thread has a
    connection.
    """
    connections[DEFAULT_DB_ALIAS].close()
    del connections[DEFAULT_DB_ALIAS]
    connections.settings = connections.configure_settings({**connections.settings, DEFAULT_DB_ALIAS: database})
