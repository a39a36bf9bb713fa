"""The only module that reads the clock. A request reads the clock once and passes `now` on."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the current time as an aware datetime in UTC."""
    return datetime.now(UTC)  # noqa: TID251 - only this function may read the clock


def rfc3339(moment: datetime) -> str:
    """Return the moment in the API's format: RFC 3339 in UTC with microseconds and a final `Z`."""
    # With its argument `timespec`, and a `replace` of the zone, Python takes three times the instructions. A list of
    # sessions has ten times. The text ends with `+00:00`, and has no microseconds when they are zero.
    text = moment.astimezone(UTC).isoformat()[:-6]
    return f"{text}Z" if moment.microsecond else f"{text}.000000Z"
