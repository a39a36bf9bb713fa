"""The app's configuration."""

from django.apps import AppConfig


class ConsoleConfig(AppConfig):
    """What an operator sees."""

    name = __package__
    label = "authsvc_console"
    verbose_name = "Console"
    default_auto_field = "django.db.models.BigAutoField"
