"""The report on second factors that users added and removed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from events.rollup import count_events
from events.vocabulary import EventType
from sessions_app.logins.second_factors import SecondFactor, gating_factors

from ..people.users import count_users
from .window import Window


@dataclass(frozen=True, slots=True, kw_only=True)
class FactorCounts:
    """The counts for one kind of second factor. They count events, not users."""

    factor: str
    enrolled_events: int
    removed_events: int
    enrolled_events_in_window: int
    removed_events_in_window: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MfaAdoption:
    """The report on second factors that users added and removed. Recovery codes do not count as a factor."""

    example: ClassVar = {
        "total_users": 97,
        "window_days": 7,
        "factors": [
            {
                "factor": "passkey",
                "enrolled_events": 40,
                "removed_events": 3,
                "enrolled_events_in_window": 2,
                "removed_events_in_window": 0,
            }
        ],
    }

    total_users: int
    window_days: int
    factors: Sequence[FactorCounts]


def report(*, window_days: int, now: datetime) -> MfaAdoption:
    """Return the report on every registered factor that gates logins. The window is the last `window_days` days."""
    window = Window.ending(now, days=window_days)
    factors = gating_factors()
    types = counted_types(factors)
    return build(
        factors=factors,
        total_users=count_users(now=now),
        ever=count_events(types=types, since=None, until=now),
        in_window=count_events(types=types, since=window.since, until=window.until),
        window_days=window_days,
    )


def counted_types(factors: Sequence[SecondFactor]) -> list[EventType]:
    """Return the types of events that the report on these factors counts."""
    return [event for factor in factors for event in (factor.enrolled_event, factor.removed_event)]


def build(
    *,
    factors: Sequence[SecondFactor],
    total_users: int,
    ever: Mapping[EventType, int],
    in_window: Mapping[EventType, int],
    window_days: int,
) -> MfaAdoption:
    """Return the report for these counts by event type."""
    return MfaAdoption(
        total_users=total_users,
        window_days=window_days,
        factors=[
            FactorCounts(
                factor=factor.name,
                enrolled_events=ever[factor.enrolled_event],
                removed_events=ever[factor.removed_event],
                enrolled_events_in_window=in_window[factor.enrolled_event],
                removed_events_in_window=in_window[factor.removed_event],
            )
            for factor in factors
        ],
    )
