"""Configuration of the mfa app."""

from django.apps import AppConfig


class MfaConfig(AppConfig):
    """Second factors: TOTP, passkeys, recovery codes."""

    name = __package__
    label = "authsvc_mfa"
    verbose_name = "Second factors"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Read the settings, and register all that this app adds to logins, accounts, mails, checks and retention."""
        from django.core.checks import register  # noqa: PLC0415 - see below

        from accounts.lifecycle import account_listeners, inventories  # noqa: PLC0415 - see above
        from accounts.ops.retention import event_keepers  # noqa: PLC0415 - see above
        from core.jobs import jobs  # noqa: PLC0415 - Django has loaded the models only now
        from core.keys.columns import sealed_columns  # noqa: PLC0415 - see below
        from sessions_app.logins.identities import sign_in_methods  # noqa: PLC0415 - see above
        from sessions_app.logins.second_factors import proof_readers, second_factors  # noqa: PLC0415 - see above

        from . import checks, conf, inventory, models, reauthentication, retention, takeover  # noqa: PLC0415 - see above
        from .passkeys import factor as passkeys  # noqa: PLC0415 - see above
        from .recovery import account_recovery  # noqa: PLC0415 - see above
        from .recovery import codes as recovery_codes  # noqa: PLC0415 - see above
        from .totp import factor as totp  # noqa: PLC0415 - see above

        conf.settings()
        models.declare_conflicts()
        second_factors.register(totp.TotpFactor())
        second_factors.register(passkeys.PasskeyFactor())
        sign_in_methods.register(passkeys.PasskeySignIn())
        proof_readers.register(reauthentication.CodeReader())
        proof_readers.register(reauthentication.PasskeyReader())
        account_listeners.register(takeover.RemoveFactors())
        account_listeners.register(account_recovery.FollowLocks())
        event_keepers.register(account_recovery.KeepActsOfOwners())
        jobs.register(account_recovery.ContinueRecoveries())
        inventories.register(inventory.FactorInventory())
        sealed_columns.register(totp.SECRETS)
        sealed_columns.register(recovery_codes.PEPPERS)
        for check in checks.CHECKS:
            register(check, "authsvc")
        retention.register_own()
