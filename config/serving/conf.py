"""The settings of `manage.py serve`. A host project has a server of its own."""

from dataclasses import dataclass

from accounts.core.conf import section, setting, whole

DRAIN_SECONDS_MAX = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingSettings:
    """The settings of the server of the standalone project."""

    drain_seconds: int = setting(
        "DRAIN_SECONDS",
        0,
        whole(0, DRAIN_SECONDS_MAX),
        "Seconds for which the service still serves requests after SIGTERM, while `GET /readyz` answers 503. A stop takes "
        "that much longer. Set it above the time in which your proxy notices that the service is not ready.",
    )


settings = section(ServingSettings)
