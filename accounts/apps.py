"""The accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The accounts app, with the models of the events and of the mails."""

    name = __package__
    label = "authsvc_accounts"
    verbose_name = "Accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Read the settings and register the parts of this app. A malformed setting stops the start."""
        from . import wiring  # noqa: F401, PLC0415 - Django has loaded the models only now
