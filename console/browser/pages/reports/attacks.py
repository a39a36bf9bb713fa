"""The page of one attack: what came from a network, what it reached, what the service did, and how to block it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_network
from math import ceil
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext, gettext_noop, ngettext, pgettext_lazy

from core.clock import rfc3339
from core.errors import NotFound
from core.http.call import Call
from core.http.client import Network
from core.http.view import operation
from core.ratelimit import Limit
from core.ratelimit import settings as limit_settings
from events.networks import LENGTHS, read_network
from mail.conf import SecurityMail

from ....attacks.blocking import block_lists
from ....attacks.export import export_accounts
from ....attacks.incident import FAILURES_MAX, OTHERS_MAX, Incident, Outcome, Target, report
from ....attacks.wording import counted, story
from ....people.users import find_emails
from ....serializers import LongWindowQuery, QueryNetwork
from ....wording.moments import day, day_and_minute
from ....wording.numbers import number
from ...charts import Chart, Series
from ...page import ConsolePage
from ..histories.exports import csv_file
from .spans import SPANS

SHOWN_MAX = 25
"""The number of accounts, of IP addresses and of reached accounts in the timeline that the page lists."""
BARS_MAX = 48
_STEPS = (timedelta(minutes=5), timedelta(minutes=15), timedelta(hours=1), timedelta(hours=6), timedelta(days=1))

_OUTCOMES: Mapping[Outcome, tuple[str, str]] = {
    Outcome.SIGNED_IN: ("bad", gettext_noop("Signed in")),
    Outcome.STOPPED_AT_FACTOR: ("bad", gettext_noop("Password right, stopped at the second factor")),
    Outcome.LOCKED: ("warn", gettext_noop("Locked")),
    Outcome.TRIED: ("", gettext_noop("Tried")),
}
"""The tone and the label of each outcome."""


_MAILS: Mapping[str, Any] = {
    SecurityMail.LOCK: pgettext_lazy("mails about", "a lock"),
    SecurityMail.STOPPED_SIGN_IN: pgettext_lazy("mails about", "a stopped sign-in"),
    SecurityMail.NEW_SIGN_IN: pgettext_lazy("mails about", "a new sign-in"),
}
"""The words for the kinds of mails."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A tried account as the page shows it. `email` is blank after the deletion of the account."""

    target: Target
    email: str
    tone: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A point of the timeline."""

    at: datetime
    tone: str
    text: str
    user_id: str = ""
    email: str = ""


class ShowAttack(ConsolePage):
    """One attack."""

    section = "overview"
    template = "authsvc_console/attack.html"

    @operation(query=LongWindowQuery, output=HttpResponse, errors=(NotFound,))
    def get(self, call: Call) -> HttpResponse:
        """Show what came from the network, what it reached, what the service did, and how to block it."""
        days = call.query["window_days"]
        incident = _incident(call.path["network"], days=days, now=call.now)
        shown = incident.targets[:SHOWN_MAX]
        emails = find_emails(user_ids=[target.user_id for target in shown])
        rows = [_row(target, emails.get(target.user_id, ""), incident) for target in shown]
        return self.render(
            {
                "incident": incident,
                "story": story(incident),
                "are_open": bool(incident.grounds)
                and any(target.password_changed_at is None for target in incident.reached),
                "mails": {str(_MAILS[kind]): number for kind, number in incident.mails.items()},
                "reached": [row for row in rows if row.target.is_reached],
                "rows": rows,
                "sources": incident.sources[:SHOWN_MAX],
                "chart": _chart(incident),
                "moments": _timeline(incident, rows),
                "blocks": block_lists(ip_network(incident.network)),
                "limits": _limits(),
                "window_days": days,
                "spans": SPANS,
                "failures_max": FAILURES_MAX,
                "others_max": OTHERS_MAX,
                "events_url": _events_url(incident),
                "review_url": f"{reverse('authsvc-console-review-all')}?"
                + urlencode({"network": incident.network, "listed_at": rfc3339(call.now)}),
                "exported": {"network": incident.network, "window_days": days},
            }
        )


class AttackInput(LongWindowQuery):
    """The network and the window of an exported attack."""

    network = QueryNetwork()


class ExportAttack(ConsolePage):
    """The accounts of an attack as CSV."""

    @operation(input=AttackInput, output=StreamingHttpResponse, errors=(NotFound,))
    def post(self, call: Call) -> StreamingHttpResponse:
        """Return the accounts that the attack tried, the reached ones first."""
        incident = _incident(call.body["network"], days=call.body["window_days"], now=call.now)
        lines = export_accounts(incident=incident, operator_id=call.user_id, client=call.client, now=call.now)
        return csv_file("attack", lines, call)


def _network(text: str) -> Network:
    """Return the /24 or the /64 of the text. Raises NotFound when the text is no network."""
    network = read_network(text)
    if network is None:
        raise NotFound(gettext("There is no such network. An attack is an IPv4 /24 or an IPv6 /64."))
    return network.supernet(new_prefix=LENGTHS[network.version])


def _incident(network: str, *, days: int, now: datetime) -> Incident:
    return report(network=_network(network), since=now - timedelta(days=days), until=now, now=now)


def _row(target: Target, email: str, incident: Incident) -> Row:
    tone, label = _OUTCOMES[target.outcome]
    if not incident.grounds:
        # Without an attack, it is the sign-in of a traveller.
        tone = ""
    return Row(target=target, email=email, tone=tone, label=gettext(label))


def _events_url(incident: Incident) -> str:
    query = {"network": incident.network, "since": rfc3339(incident.since)}
    return f"{reverse('authsvc-console-events')}?{urlencode(query)}"


def _timeline(incident: Incident, rows: Sequence[Row]) -> list[Moment]:
    """Return the main points of the attack, the oldest first."""
    failures, locks, reports = incident.failures_at, incident.locks, incident.reports_at
    moments = []
    if failures:
        first = (
            gettext("The oldest failed login that this page reads")
            if len(failures) == FAILURES_MAX
            else gettext("First failed login")
        )
        moments += [
            Moment(at=failures[-1], tone="", text=first),
            Moment(at=failures[0], tone="", text=gettext("Last failed login")),
        ]
    if reports:
        moments += [
            Moment(at=reports[-1], tone="warn", text=gettext("Detection reported the network for the first time"))
        ]
    if locks:
        text = ngettext("First of %(number)s lock of accounts", "First of %(number)s locks of accounts", len(locks))
        text %= {"number": counted(len(locks), limit=OTHERS_MAX)}
        moments += [Moment(at=locks[-1], tone="warn", text=text)]
    for row in rows:
        target = row.target
        who: Any = {"user_id": target.user_id, "email": row.email}
        if target.reached_at is not None:
            moments.append(Moment(at=target.reached_at, tone=row.tone, text=row.label, **who))
        if target.password_changed_at is not None:
            moments.append(Moment(at=target.password_changed_at, tone="good", text=gettext("Password changed"), **who))
    return sorted(moments, key=lambda moment: moment.at)


def _chart(incident: Incident) -> Chart | None:
    """Return the failed logins over time, or None when there are none."""
    if not incident.failures_at:
        return None
    last, first = localtime(incident.failures_at[0]), localtime(incident.failures_at[-1])
    step = next((step for step in _STEPS if (last - first) / step < BARS_MAX - 1), _STEPS[-1])
    midnight = first.replace(hour=0, minute=0, second=0, microsecond=0)
    start = midnight + step * ((first - midnight) // step)
    values = [0] * ceil((last - start) / step + 1)
    for at in incident.failures_at:
        values[(at - start) // step] += 1
    shown = "{:%H:%M}".format if last - first < timedelta(days=1) else day_and_minute
    if step == _STEPS[-1]:
        shown = day
    return Chart(
        name="failures",
        title=_title(max(values), step),
        labels=[shown(start + step * index) for index in range(len(values))],
        series=[Series(label=gettext("Failed logins"), tone="bad", values=values)],
    )


def _title(most: int, step: timedelta) -> str:
    minutes = step // timedelta(minutes=1)
    texts = {
        60: gettext("Failed logins: %(number)s at most in an hour"),
        360: gettext("Failed logins: %(number)s at most in 6 hours"),
        1440: gettext("Failed logins: %(number)s at most in a day"),
    }
    usual = gettext("Failed logins: %(number)s at most in %(minutes)s minutes")
    return texts.get(minutes, usual) % {"number": number(most), "minutes": minutes}


def _limits() -> Mapping[str, str]:
    """Return the rates that limit the logins of one network, such as `10 in a minute`. Limits that are off are missing."""
    rates = limit_settings().rate_limits
    texts = {
        1: gettext("%(number)s a second"),
        60: gettext("%(number)s a minute"),
        3600: gettext("%(number)s an hour"),
        86_400: gettext("%(number)s a day"),
    }
    return {
        str(limit): texts[rate.seconds] % {"number": number(rate.attempts)}
        for limit in (Limit.LOGIN_IP, Limit.LOGIN)
        if (rate := rates[limit]) is not None
    }
