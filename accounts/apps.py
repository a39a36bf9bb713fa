"""The accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Accounts, and the ground floor under every app."""

    name = __package__
    label = "authsvc_accounts"
    verbose_name = "Accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Read the settings, so that a malformed one stops the start, and register checks, conflicts and jobs."""
        from . import checks, conf, models, outbox, retention  # noqa: F401, PLC0415 - models exist only now
        from .core.conf import core  # noqa: PLC0415 - see above
        from .core.jobs import jobs  # noqa: PLC0415 - see above

        core()
        conf.conf()
        conf.retention_conf()
        models.declare_conflicts()
        jobs.register(outbox.DeliverMails())
        jobs.register(retention.PruneDaily())
        retention.register_own()
