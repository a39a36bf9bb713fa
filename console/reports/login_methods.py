"""The report on the methods by which people sign in."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.db.models import Count
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import TruncDay

from events.models import Event
from events.vocabulary import EventType

OTHER = "unknown"
"""The method of a login that an earlier release recorded without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodCounts:
    """The completed logins by one method. `method` is a value of the filter of events. `by_day` has one number a day."""

    method: str
    total: int
    by_day: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginMethods:
    """The completed logins of the last days by their method, the most frequent first. `days` are days in UTC."""

    days: Sequence[date]
    methods: Sequence[MethodCounts]
    total: int


def report(*, window_days: int, now: datetime) -> LoginMethods:
    """Return the counts of the last `window_days` days in UTC, of which today is the last.

    One statement reads the logins of these days, and no others.
    """
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    starts = [today - timedelta(days=number) for number in reversed(range(window_days))]
    rows = Event.objects.filter(type=EventType.LOGIN_SUCCESS, created_at__gte=starts[0], created_at__lt=now)
    counted = (
        rows.order_by()
        .values_list(
            TruncDay("created_at", tzinfo=UTC),
            KeyTextTransform("method", "metadata"),
            KeyTextTransform("provider", "metadata"),
        )
        .annotate(count=Count("*"))
    )
    counts: Mapping[str, Counter[datetime]] = defaultdict(Counter)
    for day, method, provider, count in counted:
        counts[f"provider:{provider}" if provider else method or OTHER][day] += count
    methods = [
        MethodCounts(method=method, total=by_day.total(), by_day=[by_day[start] for start in starts])
        for method, by_day in counts.items()
    ]
    methods.sort(key=lambda method: (-method.total, method.method))
    return LoginMethods(
        days=[start.date() for start in starts], methods=methods, total=sum(method.total for method in methods)
    )
