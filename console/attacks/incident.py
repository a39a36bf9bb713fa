"""The report of one attack: what came from the network, what it reached, and what the service did.

Every statement reads a bounded number of rows, so a report costs the same for any number of failed logins. A count that
reached its bound is a lower bound.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Count, QuerySet

from accounts.host import users
from core.db import sql
from core.db.ids import first_id
from core.http.client import Network
from events.models import Event
from events.networks import in_network_of, network_of
from events.vocabulary import FLAGGED_EVENTS, EventType
from mail.conf import SecurityMail
from mail.models import SecurityMailCount
from sessions_app.models import Family

from ..models import Review
from ..reviews.queue import FlaggedColumns, latest_not_dismissed
from ..trail.search import RECORDING_TIME
from .definition import Ground, grounds_of, is_about_passwords
from .finding import COUNTED_MAX

FAILURES_MAX = 10_000
"""The number of failed logins that a report reads: the latest."""
OTHERS_MAX = 1_000
"""The number of events of each other type that a report reads: the latest."""
EARLIER_MAX = 5_000
"""The number of earlier logins from the network that tell which accounts know it."""
FOLLOWED_MAX = 50
"""The number of reached accounts whose later events are read, and the number of later events of each."""
LATER_MAX = 500
MARGIN = timedelta(hours=1)
"""Detection looks back an hour. So an attack begins up to an hour before its first report, and may go on after the last."""

_MAILS = (SecurityMail.LOCK, SecurityMail.STOPPED_SIGN_IN, SecurityMail.NEW_SIGN_IN)

_CHANGED_SQL = f"""
    SELECT account.id, max(later.created_at)
    FROM unnest(%s::text[]) AS account (id) CROSS JOIN LATERAL (
        SELECT type, created_at FROM {Event._meta.db_table}
        WHERE user_id = account.id AND id >= %s ORDER BY id DESC LIMIT {LATER_MAX}
    ) AS later WHERE later.type = '{EventType.PASSWORD_CHANGED}' AND later.created_at >= %s GROUP BY account.id
"""  # noqa: S608 - constants only


class Outcome(StrEnum):
    """The last step that the attack reached at an account. The first member is the worst."""

    SIGNED_IN = "signed_in"
    STOPPED_AT_FACTOR = "stopped_at_factor"
    LOCKED = "locked"
    TRIED = "tried"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """An account that the network tried. `reached_at` is the time of the latest login or stop; None when there is none.

    `password_changed_at` and `live_sessions` are known for FOLLOWED_MAX reached accounts, and describe the time since.
    """

    user_id: str
    outcome: Outcome
    failed_logins: int
    first_at: datetime
    last_at: datetime
    reached_at: datetime | None
    password_changed_at: datetime | None
    live_sessions: int

    @property
    def is_reached(self) -> bool:
        """Whether the password was right."""
        return self.reached_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """An IP address of the attack, with its failed logins and its latest user agent."""

    ip: str
    failed_logins: int
    user_agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """An attack. `since` and `until` bound the events that were read; without reports they are the window.

    `failures_at` has the times of the failed logins, the newest first. `targets` begins with the accounts that were
    reached. `known_accounts` signed in from the network before the attack, and a block would shut them out. `related` are the other networks that were reported for the same accounts, with whether they attack too.
    """

    network: str
    since: datetime
    until: datetime
    grounds: Sequence[Ground]
    reports: int
    unreviewed: int
    sources: Sequence[Source]
    failures_at: Sequence[datetime]
    unknown_addresses: int
    targets: Sequence[Target]
    locks: Sequence[datetime]
    mails: Mapping[str, int]
    known_accounts: int
    related: Mapping[str, bool]
    reports_at: Sequence[datetime]

    @property
    def first_at(self) -> datetime:
        """The time of the first failed login, report or reached account; without any, `since`."""
        return min(self._moments(), default=self.since)

    @property
    def last_at(self) -> datetime:
        """The time of the last of them; without any, `until`."""
        return max(self._moments(), default=self.until)

    def _moments(self) -> list[datetime]:
        reached = [target.reached_at for target in self.targets if target.reached_at is not None]
        return [*self.failures_at[:1], *self.failures_at[-1:], *self.reports_at[:1], *self.reports_at[-1:], *reached]

    @property
    def reached(self) -> list[Target]:
        """The accounts whose password was right."""
        return [target for target in self.targets if target.is_reached]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """The columns of an event that a report reads."""

    user_id: str | None
    ip: str
    user_agent: str
    created_at: datetime
    unknown: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Events:
    """The events of the network in the span of the attack, the newest first."""

    failed: Sequence[_Row]
    stopped: Sequence[_Row]
    succeeded: Sequence[_Row]
    locked: Sequence[_Row]


def report(*, network: Network, since: datetime, until: datetime, now: datetime) -> Incident:
    """Return the report of the attack from the network, whose reports lie in the window from `since` to `until`.

    A login counts as reached when the account had no earlier login from the network. Needs PostgreSQL.
    """
    flags, unreviewed = _flags(network, since, until)
    guesses = [flag for flag in flags if is_about_passwords(flag)]
    begin = max(since, guesses[-1].created_at - MARGIN) if guesses else since
    end = min(until, guesses[0].created_at + MARGIN) if guesses else until
    events = _Events(
        failed=_rows(network, EventType.LOGIN_FAILED, begin, end, limit=FAILURES_MAX),
        stopped=_rows(network, EventType.LOGIN_STOPPED_AT_FACTOR, begin, end, limit=OTHERS_MAX),
        succeeded=_rows(network, EventType.LOGIN_SUCCESS, begin, end, limit=OTHERS_MAX),
        locked=_rows(network, EventType.ACCOUNT_LOCKED, begin, end, limit=OTHERS_MAX),
    )
    known = _known(network, before=begin)
    targets = _targets(events, known=known, now=now)
    return Incident(
        network=str(network),
        since=begin,
        until=end,
        grounds=grounds_of(guesses),
        reports=len(flags),
        unreviewed=unreviewed,
        sources=_sources(events.failed or events.stopped or events.succeeded),
        failures_at=[row.created_at for row in events.failed],
        unknown_addresses=len({row.unknown for row in events.failed if row.unknown}),
        targets=targets,
        locks=[row.created_at for row in events.locked],
        mails=_mails([target.user_id for target in targets if target.outcome is not Outcome.TRIED], begin, until),
        known_accounts=len(known),
        related=_related(network, {target.user_id for target in targets}, since),
        reports_at=[flag.created_at for flag in flags],
    )


def _of_network(network: Network, event: str, since: datetime, until: datetime) -> QuerySet[Event]:
    # The index has the order of the ids, which contain the time at which the event was recorded.
    rows = in_network_of(Event.objects.filter(type=event), network)
    return rows.filter(id__gte=first_id(since), id__lt=first_id(until + RECORDING_TIME)).order_by("-id")


def _rows(network: Network, event: EventType, since: datetime, until: datetime, *, limit: int) -> list[_Row]:
    columns = ("user_id", "ip", "user_agent", "created_at", "metadata")
    found = _of_network(network, event, since, until).values_list(*columns)[:limit]
    return [
        _Row(user_id=user_id, ip=ip, user_agent=agent, created_at=at, unknown=str(metadata.get("email_hmac", "")))
        for user_id, ip, agent, at, metadata in found
    ]


def _flags(network: Network, since: datetime, until: datetime) -> tuple[list[FlaggedColumns], int]:
    """Return the flagged events that no operator dismissed, the newest first, and how many wait for a review."""
    columns = ("pk", "type", "user_id", "ip", "metadata", "created_at")
    rows = [
        row
        for event in FLAGGED_EVENTS
        for row in _of_network(network, event, since, until).values_list(*columns)[:OTHERS_MAX]
    ]
    reviews = Review.objects.filter(pk__in=[row[0] for row in rows]).exclude(status=Review.Status.UNREVIEWED)
    judged = dict(reviews.values_list("pk", "status"))
    kept = [row for row in rows if judged.get(row[0]) != Review.Status.DISMISSED]
    flags = [
        FlaggedColumns(type=event, user_id=user_id, ip=ip, metadata=metadata, created_at=at)
        for _, event, user_id, ip, metadata, at in sorted(kept, key=lambda row: row[5], reverse=True)
    ]
    return flags, len(rows) - len(judged)


def _targets(events: _Events, *, known: AbstractSet[str], now: datetime) -> list[Target]:
    stops, locked = _latest(events.stopped), _latest(events.locked)
    logins = {user_id: at for user_id, at in _latest(events.succeeded).items() if user_id not in known}
    failed = Counter(row.user_id for row in events.failed if row.user_id)
    all_rows = [row for row in (*events.failed, *events.stopped, *events.locked) if row.user_id] + [
        row for row in events.succeeded if row.user_id in logins
    ]
    seen: dict[str, tuple[datetime, datetime]] = {}
    for row in all_rows:
        first, last = seen.get(str(row.user_id), (row.created_at, row.created_at))
        seen[str(row.user_id)] = min(first, row.created_at), max(last, row.created_at)
    reached = {**stops, **logins}
    followed = sorted(reached, key=lambda user_id: reached[user_id], reverse=True)[:FOLLOWED_MAX]
    changed = find_password_changes(followed, since=min(reached.values(), default=now))
    live = _live_sessions(followed, now=now)
    targets = [
        Target(
            user_id=user_id,
            outcome=_outcome(user_id, logins=logins, stops=stops, locked=locked),
            failed_logins=failed[user_id],
            first_at=first,
            last_at=last,
            reached_at=reached.get(user_id),
            password_changed_at=changed.get(user_id),
            live_sessions=live.get(user_id, 0),
        )
        for user_id, (first, last) in seen.items()
    ]
    order = list(Outcome)
    return sorted(targets, key=lambda target: (order.index(target.outcome), -target.failed_logins, target.user_id))


def _outcome(
    user_id: str, *, logins: Mapping[str, datetime], stops: Mapping[str, datetime], locked: Mapping[str, datetime]
) -> Outcome:
    if user_id in logins:
        return Outcome.SIGNED_IN
    if user_id in stops:
        return Outcome.STOPPED_AT_FACTOR
    return Outcome.LOCKED if user_id in locked else Outcome.TRIED


def _latest(rows: Iterable[_Row]) -> dict[str, datetime]:
    """Return the time of the latest of the rows for each account."""
    found: dict[str, datetime] = {}
    for row in rows:
        if row.user_id:
            found.setdefault(row.user_id, row.created_at)
    return found


def _known(network: Network, *, before: datetime) -> AbstractSet[str]:
    """Return the accounts with a login from the network before this time, among the latest EARLIER_MAX logins."""
    earlier = in_network_of(Event.objects.filter(type=EventType.LOGIN_SUCCESS, id__lt=first_id(before)), network)
    latest = earlier.order_by("-id").values_list("user_id", flat=True)[:EARLIER_MAX]
    return {user_id for user_id in latest if user_id}


def find_password_changes(user_ids: Sequence[str], *, since: datetime) -> dict[str, datetime]:
    """Return the time of the last change of the password since then, of each of the accounts that changed it.

    Reads the latest LATER_MAX events of each account. Needs PostgreSQL.
    """
    if not user_ids:
        return {}
    return dict(sql.fetch_all(_CHANGED_SQL, (list(user_ids), first_id(since), since)))


def _live_sessions(user_ids: Sequence[str], *, now: datetime) -> dict[str, int]:
    keys = [users.to_account_id(user_id) for user_id in user_ids]
    counts = Family.objects.live(now).filter(account_id__in=keys).values_list("account_id").annotate(Count("pk"))
    return {str(account_id): number for account_id, number in counts}


def _sources(rows: Sequence[_Row]) -> list[Source]:
    counts = Counter(row.ip for row in rows)
    agents = {row.ip: row.user_agent for row in reversed(rows)}
    return [Source(ip=ip, failed_logins=number, user_agent=agents[ip]) for ip, number in counts.most_common()]


def _mails(user_ids: Sequence[str], since: datetime, until: datetime) -> dict[str, int]:
    """Return the number of mails to the owners of these accounts since the attack began, by their kind."""
    keys = [users.to_account_id(user_id) for user_id in user_ids[:OTHERS_MAX]]
    counts = SecurityMailCount.objects.filter(account_id__in=keys, kind__in=_MAILS)
    found: Counter[str] = Counter()
    for kind, number in counts.filter(started_at__gte=since, started_at__lte=until).values_list("kind", "count"):
        found[kind] += number
    return dict(found)


def _related(network: Network, user_ids: set[str], since: datetime) -> dict[str, bool]:
    """Return the other networks that were reported for one of the accounts, and whether each of them attacks."""
    found: dict[str, list[FlaggedColumns]] = {}
    for flag in latest_not_dismissed(since=since, limit=COUNTED_MAX):
        other = network_of(flag.ip)
        if other is not None and other != network and is_about_passwords(flag):
            found.setdefault(str(other), []).append(flag)
    return {
        other: bool(grounds_of(flags))
        for other, flags in found.items()
        if any(flag.user_id in user_ids for flag in flags)
    }
