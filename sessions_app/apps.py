"""Configuration of the sessions app."""

from django.apps import AppConfig


class SessionsConfig(AppConfig):
    """Sessions: token families, rotation, issuing, pending logins, magic links, devices, locations, detection."""

    name = __package__
    label = "authsvc_sessions"
    verbose_name = "Sessions"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Read the settings and register the parts of this app. A malformed setting stops the start."""
        from . import wiring  # noqa: F401, PLC0415 - Django has loaded the models only now
