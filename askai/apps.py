"""The app's configuration."""

from django.apps import AppConfig


class AskAiConfig(AppConfig):
    """A question about one's own sessions and events."""

    name = __package__
    label = "authsvc_askai"
    verbose_name = "Ask AI"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Read the settings, and name what is sealed and pruned."""
        from accounts.core.keys.columns import sealed_columns  # noqa: PLC0415 - models exist only now

        from . import conf, planning, settings_store  # noqa: PLC0415 - see above

        conf.conf()
        sealed_columns.register(settings_store.CREDENTIALS)
        planning.register_own()
