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
