"""The app's configuration."""

from django.apps import AppConfig


class ServingConfig(AppConfig):
    """Adds the command `serve` to the standalone project. A host project uses its own server."""

    name = __package__
    label = "authsvc_serving"
    verbose_name = "Serving"
