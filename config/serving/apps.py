"""The app's configuration."""

from django.apps import AppConfig


class ServingConfig(AppConfig):
    """Adds the command `serve` and a check of the environment to the standalone project.

    A host project has a server and settings of its own.
    """

    name = __package__
    label = "authsvc_serving"
    verbose_name = "Serving"

    def ready(self) -> None:
        """Read the settings, and register the check of the environment. A malformed setting stops the start."""
        from . import checks, conf  # noqa: F401, PLC0415 - the settings are ready only now

        conf.settings()
