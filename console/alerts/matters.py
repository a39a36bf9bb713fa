"""The matters that raise alerts: an attack, failed deliveries, and work that no worker has started."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.utils import translation

from core.clock import rfc3339
from core.db.ids import first_id
from events.webhooks.delivery import has_receivers
from events.webhooks.models import Delivery
from mail.languages import ENGLISH

from ..attacks.finding import find_attacks
from ..attacks.wording import figures, headline
from ..deliveries.history import count_unfinished_deliveries
from ..reports.overview import find_late_jobs

ATTACK_SPAN = timedelta(hours=1)

FAILURE_SPAN = timedelta(minutes=20)
"""The time after its last attempt in which a failed delivery raises an alert."""

OLDEST_DELIVERY = timedelta(days=3)
"""The age of the oldest deliveries that are read. The attempts of the default schedule take less than a day."""

RETRYING_MIN = 20
"""The number of deliveries that wait after a failed attempt from which the receiver counts as down."""

READ_MAX = 1_000


class AlertKind(StrEnum):
    """The kinds of alerts. Each has its sentence in the mail."""

    ATTACK = "attack"
    DELIVERIES = "deliveries"
    WORKER = "worker"


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """Something that needs an operator. Equal keys are the same matter. `line` states the facts, in English."""

    kind: AlertKind
    key: str
    line: str


def find_matters(*, now: datetime) -> Sequence[Matter]:
    """Return the present matters. Each statement reads a bounded number of rows."""
    # The site can have another language. Events are in English.
    with translation.override(ENGLISH):
        return [*_attacks(now), *_deliveries(now), *_late_work(now)]


def _attacks(now: datetime) -> list[Matter]:
    return [
        Matter(
            kind=AlertKind.ATTACK,
            key=f"{AlertKind.ATTACK} {attack.network}",
            line=f"{headline(attack)} ({figures(attack)}, in the last hour)",
        )
        for attack in find_attacks(since=now - ATTACK_SPAN, until=now)
    ]


def _deliveries(now: datetime) -> list[Matter]:
    if not has_receivers():
        return []
    rows = Delivery.objects.filter(status=Delivery.Status.FAILED, id__gte=first_id(now - OLDEST_DELIVERY))
    # The end of the last claim. A delivery that failed finally keeps it.
    claims = list(rows.order_by("-id").values_list("next_attempt_at", flat=True)[:READ_MAX])
    failed = sum(claim >= now - FAILURE_SPAN for claim in claims)
    retrying = count_unfinished_deliveries(limit=READ_MAX).retrying
    if not failed and retrying < RETRYING_MIN:
        return []
    line = f"{failed} deliveries failed finally, and {retrying} wait after a failed attempt"
    return [Matter(kind=AlertKind.DELIVERIES, key=str(AlertKind.DELIVERIES), line=line)]


def _late_work(now: datetime) -> list[Matter]:
    return [
        Matter(
            kind=AlertKind.WORKER,
            key=f"{AlertKind.WORKER} {late.job}",
            line=f"{late.job}: due since {rfc3339(late.due_at)}",
        )
        for late in find_late_jobs(now)
    ]
