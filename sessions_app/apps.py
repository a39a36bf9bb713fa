"""Configuration of the sessions app."""

from django.apps import AppConfig


class SessionsConfig(AppConfig):
    """Sessions: token families, rotation, issuing, pending logins, magic links, devices, locations, detection."""

    name = __package__
    label = "authsvc_sessions"
    verbose_name = "Sessions"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Read the settings, and register the checks, listeners, inventories and prunable rows of this app."""
        from django.apps import apps as django_apps  # noqa: PLC0415 - see above
        from django.conf import settings as django_settings  # noqa: PLC0415 - see above
        from django.core.checks import register  # noqa: PLC0415 - see above
        from django.db.models.signals import pre_delete  # noqa: PLC0415 - see above

        from accounts.lifecycle import (  # noqa: PLC0415 - Django has loaded the models only now
            account_listeners,
            factor_stores,
            failure_listeners,
            inventories,
            session_stores,
        )
        from accounts.models import Account  # noqa: PLC0415 - see above
        from mail.compose import client_describers  # noqa: PLC0415 - Django has loaded the models only now
        from mail.sign_in_buttons import button_sources  # noqa: PLC0415 - see above

        from . import conf, inventory, retention  # noqa: PLC0415 - see above
        from .detection import locations  # noqa: PLC0415 - see above
        from .detection import signals as detection  # noqa: PLC0415 - see above
        from .families import queries, revocation  # noqa: PLC0415 - see above
        from .logins import identities, second_factors  # noqa: PLC0415 - see above
        from .oauth import buttons as oauth_buttons  # noqa: PLC0415 - see above
        from .oauth import checks as oauth_checks  # noqa: PLC0415 - see above
        from .oauth import conf as oauth_conf  # noqa: PLC0415 - see above

        conf.settings()
        conf.detection_settings()
        oauth_conf.read_settings()
        for check in (locations.check_geoip, *oauth_checks.CHECKS):
            register(check, "authsvc")
        session_stores.register(queries.FamilySessions())
        factor_stores.register(second_factors.EnrolledFactors())
        account_listeners.register(revocation.EndSessions())
        pre_delete.connect(revocation.end_sessions_of, sender=Account)
        account_listeners.register(identities.RemoveIdentities())
        client_describers.register(inventory.describe_client)
        button_sources.register(oauth_buttons.OauthButtons())
        inventories.register(inventory.SessionInventory())
        inventories.register(identities.IdentityInventory())
        failure_listeners.register(detection.ReportFailures())
        retention.register_own()
        if django_apps.is_installed("django.contrib.sessions"):
            from django.contrib.auth.signals import user_logged_out  # noqa: PLC0415 - the standalone project has none

            from .site.django_sessions import end_session_of  # noqa: PLC0415 - see above

            # A host project logs its users out by Django's function, which only the signal reports.
            user_logged_out.connect(end_session_of)
        if "DEFAULT_SCHEMA_CLASS" in getattr(django_settings, "REST_FRAMEWORK", {}):
            # The site describes its own views, so it may use drf-spectacular. Other sites do not import that library.
            from .site import spectacular  # noqa: F401, PLC0415 - the import registers the scheme
