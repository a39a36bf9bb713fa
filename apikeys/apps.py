"""Configuration of the apikeys app."""

from django.apps import AppConfig


class ApiKeysConfig(AppConfig):
    """API keys for machines."""

    name = __package__
    label = "authsvc_apikeys"
    verbose_name = "API keys"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Read the settings and register the parts of this app. A malformed setting stops the start."""
        from . import wiring  # noqa: F401, PLC0415 - Django has loaded the models only now
