"""Which of the two deployments this is."""

from django.db import DEFAULT_DB_ALIAS, connections


def is_embedded() -> bool:
    """Tell whether the deployment has no console: any database but PostgreSQL. Opens no connection."""
    return connections[DEFAULT_DB_ALIAS].vendor != "postgresql"
