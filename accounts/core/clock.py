"""The one place that reads the clock. A request reads it once and passes `now` on."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the present moment, aware, in UTC."""
    return datetime.now(UTC)  # noqa: TID251 - the one place


def rfc3339(moment: datetime) -> str:
    """Return the moment as the API writes it: UTC, microseconds, `Z`."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
