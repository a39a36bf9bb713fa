"""`manage.py migrate`: Django's command, without a pooler between it and PostgreSQL."""

from typing import Any

from django.core.checks import Tags
from django.core.management.commands import migrate

from core.commands import ServiceCommand

from ...direct import use_direct_database


class Command(migrate.Command):
    """Migrates the database on the connection of DATABASE_DIRECT_URL, if the settings name a pooler."""

    requires_system_checks = (*ServiceCommand.requires_system_checks, Tags.models, Tags.database)

    def execute(self, *args: Any, **options: Any) -> Any:
        use_direct_database()
        return super().execute(*args, **options)
