"""Wiring of the console at the start: settings, retention, claims, a job and a check."""

from django.core.checks import Tags, register

from accounts.lifecycle import claims_providers
from accounts.ops.retention import Prunable, event_keepers, prunables
from accounts.state import metadata
from accounts.state.personal_tables import personal_tables
from core.db.deployment import is_embedded
from core.jobs import jobs
from core.ratelimit.blocked import sources as block_sources

from . import checks, conf, personal_data, retention
from .account_acts.conf import act_settings
from .account_acts.planned import PerformPlannedActs
from .alerts.conf import alert_settings
from .alerts.raising import RaiseAlerts, prunable_alerts
from .blocks import networks
from .digests.recording import RecordDigests
from .operators.grants import RoleClaims

conf.read_settings()
act_settings()
alert_settings()
event_keepers.register(retention.ReviewedEvents())
personal_tables.register(personal_data.REVIEWS)
if not is_embedded():
    # An embedded deployment records no digests.
    prunables.register(Prunable(name="digests", rows=retention.prunable_digests))
    claims_providers.register(metadata.MetadataClaims())
    claims_providers.register(RoleClaims())
    for table in personal_data.OPERATOR_TABLES:
        personal_tables.register(table)
    jobs.register(RecordDigests())
    jobs.register(PerformPlannedActs())
    jobs.register(RaiseAlerts())
    prunables.register(Prunable(name="alerts", rows=prunable_alerts))
    block_sources.register(networks.SOURCE)
    prunables.register(Prunable(name="blocked_networks", rows=networks.prunable_blocks))
    register(checks.check_second_factor, "authsvc")
    register(checks.check_acts, "authsvc")
    register(checks.check_act_pages, Tags.urls)
