"""Wiring of the sessions app at the start: settings, checks, listeners, inventories and retention."""

from django.apps import apps as django_apps
from django.conf import settings as django_settings
from django.core.checks import register
from django.db.models.signals import pre_delete

from accounts.lifecycle import account_listeners, factor_stores, failure_listeners, inventories, session_stores
from accounts.management.users.subcommand import subcommands_of_apps
from accounts.models import Account
from accounts.ops.retention import Prunable, prunables
from accounts.ops.transfer.parts import row_parts
from accounts.state.personal_tables import personal_tables
from core.http.proof_stores import used_proofs
from core.jobs import jobs
from mail.compose import client_describers

from . import conf, inventory, personal_data, retention
from .detection import locations, signals
from .families import queries, revocation
from .families import used_proofs as proofs
from .logins import factor_changes, identities, second_factors, stopped
from .logins.fallback import former_addresses
from .management.users.remove_factors import RemoveFactors
from .oauth import checks as oauth_checks
from .oauth import conf as oauth_conf
from .oauth import transfer

conf.settings()
conf.detection_settings()
conf.check_fallback()
oauth_conf.read_settings()
for check in (locations.check_geoip, *oauth_checks.CHECKS):
    register(check, "authsvc")
session_stores.register(queries.FamilySessions())
factor_stores.register(second_factors.EnrolledFactors())
account_listeners.register(revocation.EndSessions())
pre_delete.connect(revocation.end_sessions_of, sender=Account)
pre_delete.connect(factor_changes.delete_factors_of, sender=Account)
account_listeners.register(factor_changes.EndFactors())
account_listeners.register(identities.RemoveIdentities())
row_parts.register(transfer.IdentitiesPart())
row_parts.register(transfer.OtherFactorsPart())
client_describers.register(inventory.describe_client)
account_listeners.register(former_addresses.KeepFormerAddresses())
inventories.register(inventory.SessionInventory())
inventories.register(identities.IdentityInventory())
inventories.register(factor_changes.FactorInventory())
subcommands_of_apps.register(RemoveFactors())
failure_listeners.register(signals.ReportFailures())
jobs.register(stopped.EndPendingLogins())
jobs.register(proofs.SweepProofs())
for table in personal_data.TABLES:
    personal_tables.register(table)
prunables.register(Prunable(name="pending logins", rows=retention.prunable_pending_logins))
prunables.register(Prunable(name="OAuth flows", rows=retention.prunable_flows))
prunables.register(Prunable(name="idempotency keys", rows=retention.prunable_keyed_rotations))
used_proofs.register(proofs.ProofStore())
prunables.register(Prunable(name="proofs of keys", rows=proofs.prunable_proofs))
prunables.register(Prunable(name="former addresses", rows=former_addresses.prunable_former_addresses))
# Tokens come before families, because one family can have many more tokens than a batch holds.
prunables.register(Prunable(name="refresh tokens", rows=retention.prunable_tokens))
prunables.register(Prunable(name="session families", rows=retention.prunable_families))
if django_apps.is_installed("django.contrib.sessions"):
    # The standalone project has no Django sessions.
    from django.contrib.auth.signals import user_logged_out

    from .site.django_sessions import end_session_of

    # A host project logs its users out by Django's function, which only the signal reports.
    user_logged_out.connect(end_session_of)
if "DEFAULT_SCHEMA_CLASS" in getattr(django_settings, "REST_FRAMEWORK", {}):
    # The site describes its own views, so it may use drf-spectacular. Other sites do not import that library.
    from .site import spectacular  # noqa: F401 - the import registers the scheme
