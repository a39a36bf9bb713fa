"""The app's configuration."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    """The pages for the people who sign in."""

    name = __package__
    label = "authsvc_pages"
    verbose_name = "Pages"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Read the settings and register the parts of this app. A malformed setting stops the start."""
        from . import wiring  # noqa: F401, PLC0415 - Django has loaded the models only now
