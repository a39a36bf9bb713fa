"""The app's configuration."""

from django.apps import AppConfig


class ConsoleConfig(AppConfig):
    """What an operator sees."""

    name = __package__
    label = "authsvc_console"
    verbose_name = "Console"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Read the settings, keep judged events and, on a full deployment, claim operators' roles and record digests."""
        from accounts.core.db.deployment import is_embedded  # noqa: PLC0415 - see above
        from accounts.core.jobs import jobs  # noqa: PLC0415 - models exist only now
        from accounts.lifecycle import claims_providers  # noqa: PLC0415 - see above
        from accounts.retention import Prunable, event_keepers, prunables  # noqa: PLC0415 - see above

        from . import conf, digests, operators, reviews  # noqa: PLC0415 - see above

        conf.read_settings()
        event_keepers.register(reviews.KeepJudged())
        if not is_embedded():
            claims_providers.register(operators.OperatorClaims())
            jobs.register(digests.RecordDigests())
            prunables.register(Prunable(name="digests", doomed=digests.doomed_digests))
