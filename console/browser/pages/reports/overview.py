"""The first page of the console: what needs an operator, and how the deployment is doing."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from core.clock import rfc3339
from core.errors import NotFound
from core.http.call import Call
from core.http.view import operation
from sessions_app.oauth.providers import providers

from ....attacks import wording
from ....reports import oauth_health, overview
from ....serializers import WindowQuery
from ...findings import compare
from ...page import ConsolePage
from .overview_charts import COUNTED_MAX, charts_of
from .spans import SPANS


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """A matter that waits for an operator. `at` is its time, or None. `tone` is the tone of a badge."""

    tone: str
    label: str
    text: str
    at: datetime | None
    url: str
    act: str


class OverviewPage(ConsolePage):
    """The first page."""

    section = "overview"
    template = "authsvc_console/overview.html"

    @operation(query=WindowQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show what needs an operator, the figures, and the charts of the window."""
        report = overview.report(window_days=call.query["window_days"], now=call.now)
        return self.render(
            {
                "report": report,
                "since": rfc3339(report.since),
                "spans": SPANS,
                "needs": list(needs_of(report)),
                "charts": charts_of(report),
                "logins": compare(now=report.counts["login_success"], before=report.counts_before["login_success"]),
                "failures": compare(now=report.counts["login_failed"], before=report.counts_before["login_failed"]),
                "has_providers": any(provider.is_configured for provider in providers()),
            }
        )


class ChartTable(ConsolePage):
    """The table behind a chart of the first page."""

    section = "overview"
    template = "authsvc_console/chart_table.html"

    @operation(query=WindowQuery, output=HttpResponse, errors=(NotFound,))
    def get(self, call: Call) -> HttpResponse:
        """Show the values of the chart, the newest bucket first."""
        report = overview.report(window_days=call.query["window_days"], now=call.now)
        chart = next((chart for chart in charts_of(report) if chart.name == call.path["name"]), None)
        if chart is None:
            raise NotFound(gettext("There is no such chart."))
        return self.render({"chart": chart, "report": report})


class ProviderHealth(ConsolePage):
    """The part of the first page about sign-in providers. The page loads it afterwards, because providers may be slow."""

    section = "overview"
    template = "authsvc_console/providers.html"

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show the health of each configured provider. The result is at most HEALTH_AGE old."""
        template = "authsvc_console/provider_rows.html" if self.is_part else self.template
        health = _health.find(call)
        is_any = any(provider.configured for provider in health.providers)
        return self.render({"health": health, "is_any": is_any}, template=template)


HEALTH_AGE = timedelta(seconds=60)


class _Health:
    """The last result of the probes of this process, because each probe sends requests to other services."""

    def __init__(self) -> None:
        self._last: tuple[datetime, oauth_health.OAuthHealth] | None = None

    def find(self, call: Call) -> oauth_health.OAuthHealth:
        if self._last is None or not timedelta() <= call.now - self._last[0] < HEALTH_AGE:
            self._last = call.now, oauth_health.report(now=call.now)
        return self._last[1]


_health = _Health()


def needs_of(report: overview.Overview) -> Iterator[Need]:
    """Yield the matters that wait for an operator, the most urgent first."""
    for attack in report.attacks:
        facts = {"attack": wording.headline(attack), "figures": wording.figures(attack)}
        yield Need(
            tone="bad",
            label=gettext("Attack"),
            text=gettext("%(attack)s: %(figures)s. The last report:") % facts,
            at=attack.last_at,
            url=f"{reverse('authsvc-console-attack', args=[attack.network])}?window_days={report.window_days}",
            act=gettext("Show the attack"),
        )
    for job in report.late_jobs:
        yield Need(
            tone="bad",
            label=gettext("Worker"),
            text=gettext("The job %(job)s is late. Check that `manage.py worker` runs. The job was due:")
            % {"job": job.job},
            at=job.due_at,
            url=reverse("authsvc-console-logs"),
            act=gettext("Show the logs"),
        )
    if report.unreviewed:
        text = ngettext(
            "%(number)s flagged event without a review. The oldest:",
            "%(number)s flagged events without a review. The oldest:",
            report.unreviewed,
        )
        yield Need(
            tone="warn",
            label=gettext("Review"),
            text=text % {"number": _counted(report.unreviewed)},
            at=report.oldest_unreviewed_at,
            url=reverse("authsvc-console-reviews"),
            act=gettext("Review them"),
        )
    if report.deliveries and (report.deliveries.failed or report.deliveries.retrying):
        failed, retrying = report.deliveries.failed, report.deliveries.retrying
        status = "failed" if failed else "pending"
        yield Need(
            tone="warn",
            label=gettext("Webhooks"),
            text=_describe_deliveries(failed=failed, retrying=retrying),
            at=None,
            url=f"{reverse('authsvc-console-deliveries')}?status={status}",
            act=gettext("Show them"),
        )


def _describe_deliveries(*, failed: int, retrying: int) -> str:
    """Return the sentence about failed deliveries. At least one of the numbers is positive."""
    if not failed:
        return ngettext(
            "%(number)s delivery waits after a failed attempt.",
            "%(number)s deliveries wait after a failed attempt.",
            retrying,
        ) % {"number": _counted(retrying)}
    if not retrying:
        return ngettext("%(number)s delivery failed finally.", "%(number)s deliveries failed finally.", failed) % {
            "number": _counted(failed)
        }
    final = ngettext("%(number)s delivery failed finally", "%(number)s deliveries failed finally", failed)
    waiting = ngettext(
        "%(final)s, and %(number)s delivery waits after a failed attempt.",
        "%(final)s, and %(number)s deliveries wait after a failed attempt.",
        retrying,
    )
    return waiting % {"final": final % {"number": _counted(failed)}, "number": _counted(retrying)}


def _counted(number: int) -> str:
    return wording.counted(number, limit=COUNTED_MAX)
