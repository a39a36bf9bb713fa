"""The app's configuration."""

from django.apps import AppConfig


class ConsoleConfig(AppConfig):
    """The operator console."""

    name = __package__
    label = "authsvc_console"
    verbose_name = "Console"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Read the settings and register what is kept and pruned.

        On a full deployment, also register the operators' claims, the job that records digests, and the check of operators' sign-in.
        """
        from django.core.checks import register  # noqa: PLC0415 - see below

        from accounts.lifecycle import claims_providers  # noqa: PLC0415 - see above
        from core.db.deployment import is_embedded  # noqa: PLC0415 - models exist only now
        from core.jobs import jobs  # noqa: PLC0415 - see above

        from . import checks, conf, digests, operators, retention  # noqa: PLC0415 - see above

        conf.read_settings()
        retention.register_own()
        if not is_embedded():
            claims_providers.register(operators.MetadataClaims())
            claims_providers.register(operators.RoleClaims())
            jobs.register(digests.RecordDigests())
            register(checks.check_second_factor, "authsvc")
