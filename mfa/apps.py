"""Configuration of the mfa app."""

from django.apps import AppConfig


class MfaConfig(AppConfig):
    """Second factors: authenticator apps, passkeys, recovery codes."""

    name = __package__
    label = "authsvc_mfa"
    verbose_name = "Second factors"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Read the settings and register the parts of this app. A malformed setting stops the start."""
        from . import wiring  # noqa: F401, PLC0415 - Django has loaded the models only now
