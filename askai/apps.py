"""The app's configuration."""

from django.apps import AppConfig


class AskAiConfig(AppConfig):
    """A question about one's own sessions and events."""

    name = __package__
    label = "authsvc_askai"
    verbose_name = "Ask AI"
    default_auto_field = "django.db.models.BigAutoField"
