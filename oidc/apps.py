"""The app's configuration."""

from django.apps import AppConfig


class OidcConfig(AppConfig):
    """The OpenID provider."""

    name = __package__
    label = "authsvc_oidc"
    verbose_name = "OpenID provider"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the parts of this app."""
        from . import wiring  # noqa: F401, PLC0415 - Django has loaded the models only now
