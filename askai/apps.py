"""The app's configuration."""

from django.apps import AppConfig


class AskAiConfig(AppConfig):
    """Answers to a user's questions about the user's own sessions and audit events."""

    name = __package__
    label = "authsvc_askai"
    verbose_name = "Ask AI"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Read the settings, and register the sealed column and the plans to prune."""
        from core.keys.columns import sealed_columns  # noqa: PLC0415 - models exist only now

        from . import conf, retention, settings_store  # noqa: PLC0415 - see above

        conf.settings()
        sealed_columns.register(settings_store.CREDENTIALS)
        retention.register_own()
