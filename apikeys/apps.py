"""Configuration of the apikeys app."""

from django.apps import AppConfig


class ApiKeysConfig(AppConfig):
    """API keys for machines."""

    name = __package__
    label = "authsvc_apikeys"
    verbose_name = "API keys"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Read the settings, and register the listener, the inventory, the credential of `GET /v1/verify` and the rows to prune."""
        from django.conf import settings as django_settings  # noqa: PLC0415 - see below

        from accounts.lifecycle import account_listeners, inventories  # noqa: PLC0415 - models exist only now
        from sessions_app.machines import machine_credentials  # noqa: PLC0415 - see above

        from . import (  # noqa: PLC0415 - see above
            conf,
            inventory,
            requests,
            retention,
            takeover,
        )

        conf.settings()
        account_listeners.register(takeover.RevokeKeys())
        inventories.register(inventory.KeyInventory())
        machine_credentials.register(requests.ApiKeyCredential())
        retention.register_own()
        if "DEFAULT_SCHEMA_CLASS" in getattr(django_settings, "REST_FRAMEWORK", {}):
            # The site describes its own views, so it may use drf-spectacular. Other sites do not import that library.
            from . import spectacular  # noqa: F401, PLC0415 - the import registers the scheme
