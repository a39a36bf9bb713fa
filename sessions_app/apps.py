"""The app's configuration."""

from django.apps import AppConfig


class SessionsConfig(AppConfig):
    """Being signed in: families, rotation, issuing, pending logins, magic links, devices, places, detection."""

    name = __package__
    label = "authsvc_sessions"
    verbose_name = "Sessions"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Read the settings, let sessions end with what they rest on, look at failures, and name what is pruned."""
        from django.core.checks import register  # noqa: PLC0415 - see above

        from accounts.lifecycle import (  # noqa: PLC0415 - only now
            account_listeners,
            failure_listeners,
            inventories,
            session_stores,
        )
        from accounts.mail.compose import client_describers  # noqa: PLC0415 - apps are loaded only now

        from . import (  # noqa: PLC0415 - see above
            conf,
            detection,
            inventory,
            locations,
            queries,
            retention,
            revocation,
        )

        conf.conf()
        conf.detection_conf()
        register(locations.check_geoip, "authsvc")
        session_stores.register(queries.FamilySessions())
        account_listeners.register(revocation.EndSessions())
        client_describers.register(inventory.describe_client)
        inventories.register(inventory.SessionInventory())
        failure_listeners.register(detection.ReportFailures())
        retention.register_own()
