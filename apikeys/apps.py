"""The app's configuration."""

from django.apps import AppConfig


class ApiKeysConfig(AppConfig):
    """Keys for machines."""

    name = __package__
    label = "authsvc_apikeys"
    verbose_name = "API keys"
    default_auto_field = "django.db.models.BigAutoField"
