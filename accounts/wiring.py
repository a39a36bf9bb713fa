"""Wiring of the accounts app at the start: settings, checks, conflicts, jobs, retention and the log handler."""

from django.db.backends.signals import connection_created

from core import tracing
from core.conf import core_settings
from core.jobs import jobs
from core.ratelimit import close_before_drop
from core.ratelimit.conf import settings as limit_settings
from events import conf as events_conf
from events.logs import shipping
from events.webhooks import attempts, delivery
from mail import queue
from mail.conf import settings as mail_settings

from . import checks, conf, models  # noqa: F401 - the import registers the checks
from .ops import heartbeat, personal_data, retention
from .ops.retention import Prunable, event_keepers, prunables
from .ops.transfer import deletions
from .proofs import hash_kinds
from .state.personal_tables import personal_tables

connection_created.connect(close_before_drop)
if core_settings().traces:
    tracing.use_opentelemetry()
limit_settings()
conf.settings()
conf.sign_up_settings()
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
event_keepers.register(deletions.KeepDeletions())
for table in personal_data.TABLES:
    personal_tables.register(table)
prunables.register(Prunable(name="audit events", rows=retention.prunable_events))
prunables.register(Prunable(name="mail tokens", rows=retention.prunable_mail_tokens))
prunables.register(Prunable(name="login locks", rows=retention.prunable_login_locks))
prunables.register(Prunable(name="undo links", rows=retention.prunable_undo_links))
prunables.register(Prunable(name="invitations", rows=retention.prunable_invitations))
prunables.register(Prunable(name="webhook deliveries", rows=delivery.prunable_deliveries))
prunables.register(Prunable(name="webhook attempts", rows=attempts.prunable_attempts))
prunables.register(Prunable(name="shipped logs", rows=shipping.prunable_logs))
shipping.attach()
