"""Wiring of the apikeys app at the start: settings, a listener, an inventory, a number of keys, a credential and retention."""

from django.conf import settings as django_settings

from accounts.lifecycle import account_listeners, inventories
from accounts.ops.retention import Prunable, prunables
from accounts.state.holdings import holdings
from accounts.state.personal_tables import personal_tables
from sessions_app.logins.machines import machine_credentials

from . import conf, inventory, personal_data, requests, retention, takeover

conf.settings()
account_listeners.register(takeover.RevokeKeys())
inventories.register(inventory.KeyInventory())
holdings.register(inventory.KeyHolding())
machine_credentials.register(requests.ApiKeyCredential())
for table in personal_data.TABLES:
    personal_tables.register(table)
prunables.register(Prunable(name="revoked API keys", rows=retention.prunable_keys))
prunables.register(Prunable(name="revoked service keys", rows=retention.prunable_service_keys))
if "DEFAULT_SCHEMA_CLASS" in getattr(django_settings, "REST_FRAMEWORK", {}):
    # The site describes its own views, so it may use drf-spectacular. Other sites do not import that library.
    from . import spectacular  # noqa: F401 - the import registers the scheme
