"""The only module that reads the clock. A request reads the clock once and passes `now` on."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the current time as an aware datetime in UTC."""
    return datetime.now(UTC)  # noqa: TID251 - only this function may read the clock


def rfc3339(moment: datetime) -> str:
    """Return the moment in the API's format: RFC 3339 in UTC with microseconds and a final `Z`."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
