"""The app's configuration."""

from django.apps import AppConfig


class SessionsConfig(AppConfig):
    """Being signed in: families, rotation, issuing, pending logins, magic links, devices, places, detection."""

    name = __package__
    label = "authsvc_sessions"
    verbose_name = "Sessions"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Read the settings and let sessions end with what they rest on."""
        from django.core.checks import register  # noqa: PLC0415 - see above

        from accounts.lifecycle import account_listeners  # noqa: PLC0415 - apps are loaded only now

        from . import conf, locations, revocation  # noqa: PLC0415 - see above

        conf.conf()
        register(locations.check_geoip, "authsvc")
        account_listeners.register(revocation.EndSessions())
