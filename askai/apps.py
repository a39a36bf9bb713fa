"""The app's configuration."""

from django.apps import AppConfig


class AskAiConfig(AppConfig):
    """Answers to a user's questions about the user's own sessions and audit events."""

    name = __package__
    label = "authsvc_askai"
    verbose_name = "Ask AI"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Read the settings and register the parts of this app. A malformed setting stops the start."""
        from . import wiring  # noqa: F401, PLC0415 - Django has loaded the models only now
