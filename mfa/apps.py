"""The app's configuration."""

from django.apps import AppConfig


class MfaConfig(AppConfig):
    """Proving it twice: TOTP, passkeys, recovery codes."""

    name = __package__
    label = "authsvc_mfa"
    verbose_name = "Second factors"
    default_auto_field = "django.db.models.BigAutoField"
