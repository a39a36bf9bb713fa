"""Wiring of the mfa app at the start: settings, conflicts, checks, and its parts of logins, accounts and mails."""

from django.core.checks import Tags, register

from accounts.lifecycle import account_listeners
from accounts.ops.retention import Prunable, event_keepers, prunables
from accounts.ops.transfer.parts import row_parts
from accounts.state.holdings import holdings
from accounts.state.personal_tables import personal_tables
from core.jobs import jobs
from core.keys.columns import sealed_columns
from sessions_app.logins.identities import sign_in_methods
from sessions_app.logins.second_factors import proof_readers, second_factors

from . import checks, conf, personal_data, retention
from .passkeys import factor as passkeys
from .passkeys.transfer import PasskeysPart
from .recovery import account_recovery
from .recovery import codes as recovery_codes
from .recovery import factor as recovery
from .recovery import holding as recovery_holding
from .recovery.transfer import RecoveryCodesPart
from .totp import factor as totp
from .totp.transfer import TotpPart

conf.settings()
passkeys.declare_conflicts()
second_factors.register(totp.FACTOR)
second_factors.register(passkeys.FACTOR)
second_factors.register(recovery.RecoveryCodeFactor())
sign_in_methods.register(passkeys.PasskeySignIn())
holdings.register(recovery_holding.RecoveryCodeHolding())
proof_readers.register(totp.CodeReader())
proof_readers.register(passkeys.PasskeyReader())
account_listeners.register(account_recovery.FollowAccounts())
event_keepers.register(account_recovery.KeepActsOfOwners())
jobs.register(account_recovery.ContinueRecoveries())
for part in (TotpPart(), PasskeysPart(), RecoveryCodesPart()):
    row_parts.register(part)
sealed_columns.register(totp.SECRETS)
sealed_columns.register(recovery_codes.PEPPERS)
for table in personal_data.TABLES:
    personal_tables.register(table)
for check in checks.CHECKS:
    register(check, "authsvc")
register(checks.check_recovery_pages, Tags.urls)
prunables.register(Prunable(name="passkey ceremonies", rows=retention.prunable_ceremonies))
