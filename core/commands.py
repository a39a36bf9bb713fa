"""The base of the service's own commands."""

from django.core.management.base import BaseCommand


class ServiceCommand(BaseCommand):
    """A command that first checks the settings of the service. An error stops the command.

    The other checks of Django import every route of the site. `manage.py check` runs them.
    """

    requires_system_checks: tuple[str, ...] = ("authsvc",)
