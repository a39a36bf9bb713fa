"""The page of the methods by which people sign in."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from core.http.call import Call
from core.http.fields import QueryInteger
from core.http.view import operation

from ....reports import login_methods
from ....reports.login_methods import OTHER, LoginMethods, MethodCounts
from ....wording.moments import day
from ...charts import Chart, Series, Tone
from ...page import ConsolePage
from ..histories.events import methods as known_methods

SPANS = ((7, gettext_lazy("7 days")), (14, gettext_lazy("14 days")), (30, gettext_lazy("30 days")))
AGE_MAX = timedelta(seconds=60)
_TONES: Sequence[Tone] = ("info", "good", "warn", "bad")
"""The tones of the most frequent methods, in their order."""


class LoginMethodsQuery(serializers.Serializer[None]):
    """The number of days."""

    window_days = QueryInteger(min_value=1, max_value=30, default=7)


class ShowLoginMethods(ConsolePage):
    """The counts of logins by their method."""

    section = "login-methods"
    template = "authsvc_console/login_methods.html"

    @operation(query=LoginMethodsQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show the counts of each method, and of each day. They are at most AGE_MAX old."""
        days = call.query["window_days"]
        report = _last.find(days=days, now=call.now)
        labels = dict(known_methods(*(one.method for one in report.methods)))
        context = {
            "report": report,
            "days": days,
            "spans": SPANS,
            "rows": [
                (
                    labels[one.method],
                    one,
                    round(100 * one.total / report.total),
                    "" if one.method == OTHER else _events_of(one, report),
                )
                for one in report.methods
            ],
            "chart": _chart(report, labels),
        }
        return self.render(context)


class _Last:
    """The last report of this process for each number of days. A report of 30 days reads every login of a month."""

    def __init__(self) -> None:
        self._reports: dict[int, tuple[datetime, LoginMethods]] = {}

    def find(self, *, days: int, now: datetime) -> LoginMethods:
        """Return the report, which is at most AGE_MAX old."""
        taken_at, found = self._reports.get(days, (None, None))
        if found is None or taken_at is None or not timedelta() <= now - taken_at < AGE_MAX:
            found = login_methods.report(window_days=days, now=now)
            self._reports[days] = now, found
        return found


_last = _Last()


def _events_of(one: MethodCounts, report: LoginMethods) -> str:
    query = urlencode({"login_method": one.method, "since": f"{report.days[0]}T00:00:00Z"})
    return f"{reverse('authsvc-console-events')}?{query}"


def _chart(report: LoginMethods, labels: dict[str, str]) -> Chart:
    """Return the chart of the most frequent methods. All others together are one more series."""
    shown, others = report.methods[: len(_TONES)], report.methods[len(_TONES) :]
    series = [
        Series(label=labels[one.method], tone=tone, values=one.by_day) for one, tone in zip(shown, _TONES, strict=False)
    ]
    if others:
        values = [sum(day) for day in zip(*(one.by_day for one in others), strict=True)]
        series.append(Series(label=gettext("Others"), tone="quiet", values=values))
    return Chart(
        name="login-methods",
        title=gettext("Logins by method"),
        labels=[day(date) for date in report.days],
        series=series,
        filled_by=gettext("Each completed login counts here."),
    )
