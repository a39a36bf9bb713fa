"""Counts per hour or day, for charts.

Most counts come from the stored counts of finished days. So the cost does not grow with the number of events.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Annotated, ClassVar, Literal

from core.http.answers import Described
from core.http.examples import MOMENT
from events.conf import webhook_settings
from events.rollup import ONE_DAY, ONE_HOUR, count_by_day, count_by_hour
from events.vocabulary import EventType
from sessions_app.logins.second_factors import gating_factors

from ..deliveries.history import DeliveryOutcomes, count_outcomes
from .window import HOURS_OF_A_DAY

_TYPES = (
    EventType.LOGIN_SUCCESS,
    EventType.LOGIN_FAILED,
    EventType.ACCOUNT_LOCKED,
    EventType.ANOMALY_DETECTED,
    EventType.CREDENTIAL_STUFFING_DETECTED,
    EventType.PASSWORD_HASH_UPGRADED,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    """The numbers of one hour or day in UTC. `attacks` counts reports of credential stuffing."""

    example: ClassVar = {
        "start": MOMENT,
        "logins": 60,
        "failed_logins": 4,
        "locks": 1,
        "anomalies": 1,
        "attacks": 0,
        "factors_added": 2,
        "factors_removed": 0,
        "hashes_upgraded": 3,
        "deliveries": {"delivered": 9, "failed": 0, "waiting": 1},
    }

    start: datetime
    logins: int
    failed_logins: int
    locks: int
    anomalies: int
    attacks: int
    factors_added: int
    factors_removed: int
    hashes_upgraded: int
    deliveries: Annotated[DeliveryOutcomes | None, Described("Null while no webhook is configured.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """The hours of a window of one day, or the days of a longer window, in UTC. The oldest is first, and the last is not over."""

    example: ClassVar = {"unit": "day", "buckets": [Bucket.example]}

    unit: Literal["hour", "day"]
    buckets: Sequence[Bucket]


def build(*, window_days: int, now: datetime) -> Series:
    """Return the series of the last `window_days` days, or of the last 24 hours. The last bucket contains `now`."""
    added = {factor.enrolled_event for factor in gating_factors()}
    removed = {factor.removed_event for factor in gating_factors()}
    types = {*_TYPES, *added, *removed}
    now = now.astimezone(UTC)
    if window_days == 1:
        end = now.replace(minute=0, second=0, microsecond=0) + ONE_HOUR
        counts = count_by_hour(types=types, since=end - HOURS_OF_A_DAY * ONE_HOUR, until=end)
    else:
        end = datetime.combine(now, time.min, tzinfo=UTC) + ONE_DAY
        counts = count_by_day(types=types, since=end.date() - window_days * ONE_DAY, until=end.date())
    starts = list(counts)
    outcomes = count_outcomes(starts=starts, until=end) if webhook_settings().url else [None] * len(starts)
    return Series(
        unit="hour" if window_days == 1 else "day",
        buckets=[
            Bucket(
                start=start,
                logins=found[EventType.LOGIN_SUCCESS],
                failed_logins=found[EventType.LOGIN_FAILED],
                locks=found[EventType.ACCOUNT_LOCKED],
                anomalies=found[EventType.ANOMALY_DETECTED],
                attacks=found[EventType.CREDENTIAL_STUFFING_DETECTED],
                factors_added=sum(found[event] for event in added),
                factors_removed=sum(found[event] for event in removed),
                hashes_upgraded=found[EventType.PASSWORD_HASH_UPGRADED],
                deliveries=deliveries,
            )
            for (start, found), deliveries in zip(counts.items(), outcomes, strict=True)
        ],
    )
