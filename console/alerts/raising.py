"""The job that raises alerts. A matter raises one alert, and the next one after a pause."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from accounts.host import users
from core.db import sql
from core.db.ids import new_id
from core.db.transactions import transaction_required, write
from core.http.client import Client
from events.audit import record
from events.vocabulary import EventType
from events.webhooks.queue import is_subscribed
from mail.compose import MailTemplate, enqueue, is_mail_on
from mail.languages import ENGLISH

from ..models import Alert, Operator
from .conf import OPERATORS, alert_settings
from .matters import AlertKind, Matter, find_matters

INTERVAL = timedelta(minutes=1)
KIND_PAUSE = timedelta(hours=1)
"""The shortest time between two alerts of one kind. An attack from ever new networks must not fill the mailbox."""

LINES_MAX = 20
OPERATORS_MAX = 100
KEPT = timedelta(days=30)
SERVICE = "service"
"""The `author` in the metadata of an alert."""

_NO_CLIENT = Client(ip="", user_agent="")
_TABLE = Alert._meta.db_table

# One statement, so that of several workers exactly one raises the alert.
_CLAIM_SQL = f"""
    INSERT INTO {_TABLE} AS known (id, matter, raised_at) VALUES (%s, %s, %s)
    ON CONFLICT (matter) DO UPDATE SET raised_at = excluded.raised_at WHERE known.raised_at <= %s
    RETURNING matter
"""  # noqa: S608 - a table's own name


class RaiseAlerts:
    """Job that looks for matters every INTERVAL, while a recipient or the webhook gets alerts."""

    name = "alerts"

    def __init__(self) -> None:
        self._due_at: datetime | None = None

    def next_due(self, now: datetime) -> datetime | None:
        if not alert_settings().mail and not is_subscribed(EventType.ALERT_RAISED):
            return None
        return self._due_at or now

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        self._due_at = now + INTERVAL
        matters = find_matters(now=now)
        for kind in AlertKind:
            if found := [matter for matter in matters if matter.kind is kind]:
                raise_alert(kind=kind, matters=found, now=now)


def raise_alert(*, kind: AlertKind, matters: Sequence[Matter], now: datetime) -> bool:
    """Raise one alert about those of the matters that are new, and return whether there was one.

    A matter is new when it raised no alert within ALERT_PAUSE_HOURS. Within KIND_PAUSE after an alert of this kind, new
    matters wait. Opens its own transaction.
    """
    keys = [matter.key for matter in matters]
    recent = Alert.objects.filter(matter__in=keys, raised_at__gt=now - alert_settings().pause)
    known = set(recent.values_list("matter", flat=True))
    new = [matter for matter in matters if matter.key not in known]
    return bool(new) and _raise(kind, new[:LINES_MAX], now=now)


def prunable_alerts(now: datetime) -> "QuerySet[Alert]":
    """Return the marks of old alerts. The events keep their history."""
    return Alert.objects.filter(raised_at__lt=now - KEPT)


@write
def _raise(kind: AlertKind, matters: Sequence[Matter], *, now: datetime) -> bool:
    if not _claim(f"kind {kind}", pause=KIND_PAUSE, now=now):
        return False
    for matter in matters:
        _claim(matter.key, pause=alert_settings().pause, now=now)
    lines = [matter.line for matter in matters]
    record(
        event=EventType.ALERT_RAISED,
        user_id=None,
        client=_NO_CLIENT,
        now=now,
        metadata={"author": SERVICE, "kind": str(kind), "matters": lines},
    )
    for address, account_id in _recipients().items():
        enqueue(
            template=MailTemplate.OPERATOR_ALERT,
            to=address,
            account_id=account_id,
            values={"kind": str(kind), "holdings": lines},
            client=_NO_CLIENT,
            now=now,
            language=None if account_id else ENGLISH,
        )
    return True


@transaction_required
def _claim(matter: str, *, pause: timedelta, now: datetime) -> bool:
    return sql.fetch_one(_CLAIM_SQL, (new_id(), matter, now, now - pause)) is not None


def _recipients() -> dict[str, Any]:
    """Return the addresses, each with the account of an operator or with None."""
    if not is_mail_on():
        return {}
    found: dict[str, Any] = {}
    for word in alert_settings().mail:
        if word != OPERATORS:
            found.setdefault(word, None)
            continue
        rows = Operator.objects.select_related("account__user").filter(account__deactivated_at=None)
        for row in rows.order_by("pk")[:OPERATORS_MAX]:
            if address := users.email_of(row.account.user):
                found[address] = row.pk
    return found
