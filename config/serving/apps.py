"""The app's configuration."""

from django.apps import AppConfig


class ServingConfig(AppConfig):
    """Gives the standalone project the command `serve`. A host project has a server of its own."""

    name = __package__
    label = "authsvc_serving"
    verbose_name = "Serving"
