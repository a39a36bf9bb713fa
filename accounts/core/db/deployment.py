"""The kind of the deployment: embedded or full."""

from django.db import DEFAULT_DB_ALIAS, connections


def is_embedded() -> bool:
    """Tell whether the deployment is embedded: it has no console and its database is not PostgreSQL.

    The check opens no connection to the database.
    """
    return connections[DEFAULT_DB_ALIAS].vendor != "postgresql"
