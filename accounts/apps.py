"""The accounts app."""

from django.apps import AppConfig
from django.db.backends.signals import connection_created


class AccountsConfig(AppConfig):
    """The accounts app. Its package `core` holds the code that all apps share."""

    name = __package__
    label = "authsvc_accounts"
    verbose_name = "Accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Read the settings, and register checks, conflicts, jobs, retention and the log handler.

        A malformed setting stops the start.
        """
        from core import tracing  # noqa: PLC0415 - see above
        from core.conf import core_settings  # noqa: PLC0415 - see above
        from core.jobs import jobs  # noqa: PLC0415 - see above
        from core.ratelimit import close_before_drop  # noqa: PLC0415 - see above
        from core.ratelimit.conf import settings as limit_settings  # noqa: PLC0415 - see above
        from events import conf as events_conf  # noqa: PLC0415 - see above
        from events.logs import shipping  # noqa: PLC0415 - see above
        from events.webhooks import delivery  # noqa: PLC0415 - see above
        from mail import queue  # noqa: PLC0415 - Django has loaded the models only now
        from mail.conf import settings as mail_settings  # noqa: PLC0415 - see above

        from . import checks, conf, models  # noqa: F401, PLC0415 - see above
        from .ops import heartbeat, retention  # noqa: PLC0415 - see above
        from .proofs import hash_kinds  # noqa: PLC0415 - see above

        connection_created.connect(close_before_drop)
        if core_settings().traces:
            tracing.use_opentelemetry()
        limit_settings()
        conf.settings()
        mail_settings()
        conf.retention_settings()
        conf.admin_settings()
        events_conf.check_webhooks()
        events_conf.check_shipping()
        models.declare_conflicts()
        jobs.register(queue.DeliverMails())
        jobs.register(delivery.DeliverWebhooks())
        jobs.register(shipping.ShipLogs())
        jobs.register(retention.PruneDaily())
        jobs.register(hash_kinds.ScanHashKinds())
        jobs.register(heartbeat.Heartbeat())
        retention.register_own()
        shipping.attach()
