"""The events of the person's own account, newest first. A page reads a bounded number of rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from core.db.ids import parse_id
from core.errors import NotFound
from core.http.client import Client
from events.models import Event
from events.vocabulary import ACCOUNT_EVENTS, EventType

from ..wording import origin
from .sentences import HIDDEN, WORTH_A_LOOK, sentence

ROWS = 25
SCANNED_MAX = 1_000
"""The number of events that a page reads at most. Most of an account's events are refreshes, which the page leaves out."""
FAILURES_MAX = 100

_SHOWN = frozenset(ACCOUNT_EVENTS) - HIDDEN


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An event in plain words. `origin` states the device, the place and the IP address, as far as they are known."""

    at: datetime
    text: str
    origin: Sequence[str]
    is_worth_a_look: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """A page of events. `older` is the position of the next page; "" on the last one."""

    lines: Sequence[Line]
    older: str


def list_activity(*, user_id: str, before: str) -> Activity:
    """Return the events before this position; "" begins with the newest. Raises NotFound for a position of another form."""
    rows = Event.objects.filter(user_id=user_id)
    if before:
        rows = rows.filter(pk__lt=_read_position(before))
    scanned = list(rows.order_by("-pk").values_list("pk", "type")[:SCANNED_MAX])
    shown = [pk for pk, event in scanned if event in _SHOWN][:ROWS]
    is_full = len(shown) == ROWS
    last = shown[-1] if is_full else (scanned[-1][0] if scanned else None)
    is_more = is_full or len(scanned) == SCANNED_MAX
    found = Event.objects.filter(pk__in=shown).order_by("-pk")
    lines = [line for line in map(_line, found) if line.text]
    return Activity(lines=lines, older=str(last) if is_more else "")


def find_sign_in(*, user_id: str, before: datetime) -> Line | None:
    """Return the newest sign-in before this moment."""
    rows = Event.objects.filter(user_id=user_id, type=EventType.LOGIN_SUCCESS, created_at__lt=before)
    found = rows.order_by("-created_at").first()
    return _line(found) if found is not None else None


def count_failures(*, user_id: str, since: datetime) -> int:
    """Return the number of refused passwords since this moment, FAILURES_MAX at most."""
    rows = Event.objects.filter(user_id=user_id, type=EventType.LOGIN_FAILED, created_at__gt=since)
    return len(rows.values_list("pk")[:FAILURES_MAX])


def _line(event: Event) -> Line:
    type_ = EventType(event.type)
    return Line(
        at=event.created_at,
        text=sentence(type_, event.metadata),
        origin=origin(Client(ip=event.ip, user_agent=event.user_agent)),
        is_worth_a_look=type_ in WORTH_A_LOOK,
    )


def _read_position(text: str) -> UUID:
    position = parse_id(text)
    if position is None:
        raise NotFound
    return position
