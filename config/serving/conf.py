"""The settings of `manage.py serve`. A host project has a server of its own."""

from dataclasses import dataclass

from core.conf import SWITCH, section, setting, whole

DRAIN_SECONDS_MAX = 3600
PORT_MAX = 65_535


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
    metrics: bool = setting(
        "METRICS",
        False,
        SWITCH,
        "Whether the service counts its work and answers `GET /metrics` for Prometheus on METRICS_PORT.",
    )
    metrics_port: int = setting(
        "METRICS_PORT",
        9464,
        whole(1, PORT_MAX),
        "Port for the metrics. The service listens on it at the address of `--host`, without credentials, so let only "
        "your monitoring reach it.",
    )


settings = section(ServingSettings)
