"""The charts of the overview, from the series of its report. Each title states the finding."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext

from core.clock import rfc3339
from sessions_app.logins.second_factors import gating_factors

from ....reports.overview import Overview as Report
from ....wording.moments import day
from ....wording.numbers import number
from ...charts import Chart, Series
from ...findings import describe_series, share

COUNTED_MAX = 1000
"""The number at which the report's counts of flagged events and deliveries stop."""


@dataclass(frozen=True, kw_only=True)
class _Facts:
    """A report, with its series by name."""

    report: Report

    @cached_property
    def labels(self) -> list[str]:
        series = self.report.series
        return [_label(bucket.start, unit=series.unit) for bucket in series.buckets]

    def values(self, name: str) -> list[int]:
        """Return the numbers of one member of the buckets."""
        return [getattr(bucket, name) for bucket in self.report.series.buckets]

    def before(self, *events: str) -> int:
        """Return the number of these events in the time span before."""
        return sum(self.report.counts_before[event] for event in events)

    def rows(self, event: str) -> str:
        """Return the link to the events of the type in the time span."""
        query = urlencode({"type": event, "since": rfc3339(self.report.since)})
        return f"{reverse('authsvc-console-events')}?{query}"


def charts_of(report: Report) -> list[Chart]:
    """Return the charts of the report. Charts of features that are not configured are missing."""
    facts = _Facts(report=report)
    charts = [chart(facts) for chart in _CHARTS]
    return [*charts, _deliveries(facts)] if report.deliveries is not None else charts


def _logins(facts: _Facts) -> Chart:
    failed = facts.values("failed_logins")
    return Chart(
        name="logins",
        title=describe_series(
            "Failed logins",
            values=failed,
            labels=facts.labels,
            before=facts.before("login_failed"),
            mostly=_main_network(facts.report),
        ),
        labels=facts.labels,
        series=[
            Series(label=gettext("Succeeded"), tone="info", values=facts.values("logins")),
            Series(label=gettext("Failed"), tone="bad", values=failed),
        ],
        rows_url=facts.rows("login_failed"),
        filled_by=gettext("Each login and each failed login counts here."),
    )


def _locks(facts: _Facts) -> Chart:
    locks = facts.values("locks")
    return Chart(
        name="locks",
        title=describe_series("Locks", values=locks, labels=facts.labels, before=facts.before("account_locked")),
        labels=facts.labels,
        series=[Series(label=gettext("Locked accounts"), tone="warn", values=locks)],
        rows_url=facts.rows("account_locked"),
        filled_by=gettext("A lock follows `LOCKOUT_THRESHOLD` failed logins in a row."),
    )


def _flagged(facts: _Facts) -> Chart:
    anomalies, attacks = facts.values("anomalies"), facts.values("attacks")
    return Chart(
        name="flagged",
        title=describe_series(
            "Flagged events",
            values=[sum(both) for both in zip(anomalies, attacks, strict=True)],
            labels=facts.labels,
            before=facts.before("anomaly_detected", "credential_stuffing_detected"),
        ),
        labels=facts.labels,
        series=[
            Series(label=gettext("Unusual logins"), tone="warn", values=anomalies),
            Series(label=gettext("Credential stuffing"), tone="bad", values=attacks),
        ],
        rows_url=f"{reverse('authsvc-console-reviews')}?status=all",
        filled_by=gettext("Detection flags unusual logins and credential stuffing while `ANOMALY_DETECTION` is on."),
    )


def _factors(facts: _Facts) -> Chart:
    added, removed = facts.values("factors_added"), facts.values("factors_removed")
    return Chart(
        name="factors",
        title=_describe_factors(added=sum(added), removed=sum(removed)),
        labels=facts.labels,
        series=[
            Series(label=gettext("Added"), tone="good", values=added),
            Series(label=gettext("Removed"), tone="warn", values=removed),
        ],
        rows_url=next((facts.rows(factor.enrolled_event) for factor in gating_factors()), ""),
        filled_by=gettext("Users add second factors to their accounts."),
    )


def _hashes(facts: _Facts) -> Chart:
    return Chart(
        name="hashes",
        title=_describe_migration(facts.report),
        labels=facts.labels,
        series=[Series(label=gettext("Rewritten hashes"), tone="info", values=facts.values("hashes_upgraded"))],
        rows_url=facts.rows("password_hash_upgraded"),
        filled_by=gettext("A login rewrites a hash of earlier costs or of another algorithm."),
    )


_CHARTS: Sequence[Callable[[_Facts], Chart]] = (_logins, _locks, _flagged, _factors, _hashes)


def _deliveries(facts: _Facts) -> Chart:
    outcomes = [bucket.deliveries for bucket in facts.report.series.buckets if bucket.deliveries]
    delivered = [outcome.delivered for outcome in outcomes]
    failed = [outcome.failed for outcome in outcomes]
    finished = sum(delivered) + sum(failed)
    title = gettext("%(share)s of the deliveries arrived") % {"share": share(sum(delivered), finished)}
    return Chart(
        name="deliveries",
        title=title if finished else gettext("No deliveries"),
        labels=facts.labels,
        series=[
            Series(label=gettext("Delivered"), tone="good", values=delivered),
            Series(label=gettext("Failed"), tone="bad", values=failed),
            Series(label=gettext("Waiting"), tone="quiet", values=[outcome.waiting for outcome in outcomes]),
        ],
        rows_url=reverse("authsvc-console-deliveries"),
        filled_by=gettext("A delivery follows each event in `WEBHOOK_EVENTS`."),
    )


def _describe_factors(*, added: int, removed: int) -> str:
    if not added and not removed:
        return gettext("No second factor was added or removed")
    text = ngettext(
        "%(added)s second factor added, %(removed)s removed",
        "%(added)s second factors added, %(removed)s removed",
        added,
    )
    return text % {"added": number(added), "removed": number(removed)}


def _describe_migration(report: Report) -> str:
    now, ever = report.hash_migration.upgraded_events_in_window, report.hash_migration.upgraded_events
    text = ngettext(
        "%(now)s password hash was rewritten to the present costs, %(ever)s since the beginning",
        "%(now)s password hashes were rewritten to the present costs, %(ever)s since the beginning",
        now,
    )
    return text % {"now": number(now), "ever": number(ever)}


def _main_network(report: Report) -> str:
    """Return the network of most failed logins of the window. Return "" when no reported network has more than half."""
    half = report.counts["login_failed"] / 2
    # The report counts the failures of a network up to COUNTED_MAX.
    worst = max(report.attacks, key=lambda attack: attack.failed_logins, default=None)
    return worst.network if worst and worst.failed_logins > min(half, COUNTED_MAX - 1) else ""


def _label(start: datetime, *, unit: str) -> str:
    """Return the hour in the zone of the page, or the day in UTC: the stored counts are those of days in UTC."""
    return f"{localtime(start):%H:%M}" if unit == "hour" else day(start)
