"""Reviews and metadata that two operators change at the same time. The functions serve the pages of the console."""

from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

import pytest

from accounts.models import Event
from accounts.state.metadata import Metadata
from console.account_acts import metadata
from console.account_acts.metadata import MetadataConflict
from console.models import Review
from console.reviews import guarded as guarded_reviews
from console.reviews.guarded import BatchReviewed, ReviewConflict, count_listed, review_all
from console.reviews.queue import ReviewRecord, Status
from core.clock import now as read_clock
from core.http.answers import ABSENT
from core.http.client import Client
from tests.client import Api
from tests.factories import EventFactory
from tests.operators import Console, only_on_full, operator
from tests.people import Person, sign_up
from tests.races.crowd import Crowd

CLIENT = Client(ip="203.0.113.7", user_agent="")
BOB = "bob"

pytestmark = only_on_full


def flag(*, number: int = 1) -> list[UUID]:
    """Return the ids of that many new flagged events, the newest first."""
    start = read_clock() - timedelta(days=1)
    moments = (start - timedelta(minutes=minute) for minute in range(number))
    return [EventFactory.create(type="anomaly_detected", created_at=moment).pk for moment in moments]


def submit_review(
    event: UUID, status: Status, *, seen_at: datetime | None, operator_id: str = BOB
) -> ReviewRecord | ReviewConflict:
    return guarded_reviews.review_if_unchanged(
        event_id=str(event),
        status=status,
        note=f"by {operator_id}",
        seen_at=seen_at,
        operator_id=operator_id,
        client=CLIENT,
        now=read_clock(),
    )


def undo(event: UUID, *, reviewed_at: datetime, operator_id: str = BOB) -> ReviewRecord | ReviewConflict:
    return guarded_reviews.undo_review(
        event_id=str(event), reviewed_at=reviewed_at, operator_id=operator_id, client=CLIENT, now=read_clock()
    )


def review_list(*, shown: Status | None, listed_at: datetime, cursor: str | None = None) -> Any:
    return review_all(
        shown=shown,
        listed_at=listed_at,
        cursor=cursor,
        status=Status.DISMISSED,
        note="all",
        operator_id=BOB,
        client=CLIENT,
        now=read_clock(),
    )


def reviewed() -> dict[UUID, tuple[str, str]]:
    return {row.pk: (row.status, row.reviewer_id) for row in Review.objects.all()}


def acts() -> list[dict[str, Any]]:
    rows = Event.objects.filter(type="operator_event_reviewed").order_by("id")
    return list(rows.values_list("metadata", flat=True))


def test_a_review_replaces_only_the_one_that_the_operator_saw(console: Console) -> None:
    (event,) = flag()

    first = submit_review(event, Status.CONFIRMED, seen_at=None)
    late = submit_review(event, Status.DISMISSED, seen_at=None, operator_id="eve")
    assert isinstance(first, ReviewRecord)
    assert late == ReviewConflict(current=first)
    second = submit_review(event, Status.DISMISSED, seen_at=first.updated_at, operator_id="eve")

    assert isinstance(second, ReviewRecord)
    assert submit_review(event, Status.CONFIRMED, seen_at=first.updated_at) == ReviewConflict(current=second)
    assert reviewed() == {event: ("dismissed", "eve")}
    assert acts() == [
        {"event_ids": [str(event)], "status": "confirmed"},
        {"event_ids": [str(event)], "status": "dismissed"},
    ]


def test_an_operator_undoes_only_their_own_latest_review(console: Console) -> None:
    (event,) = flag()
    given = submit_review(event, Status.CONFIRMED, seen_at=None)
    assert isinstance(given, ReviewRecord)

    of_another = undo(event, reviewed_at=given.updated_at, operator_id="eve")
    own = undo(event, reviewed_at=given.updated_at)
    again = undo(event, reviewed_at=given.updated_at)

    assert of_another == ReviewConflict(current=given)
    assert isinstance(own, ReviewRecord)
    assert (own.status, own.note) == (Status.UNREVIEWED, "")
    assert again == ReviewConflict(current=own)
    assert reviewed() == {event: ("unreviewed", BOB)}
    assert [act["status"] for act in acts()] == ["confirmed", "unreviewed"]


def test_all_events_of_a_list_are_reviewed_in_batches(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded_reviews, "BATCH", 2)
    events = flag(number=5)
    console.put(f"/anomalies/{events[4]}", {"status": "unreviewed", "note": "asked the user"})
    listed_at = read_clock()

    batches = list(review_list(shown=Status.UNREVIEWED, listed_at=listed_at))

    assert [(batch.reviewed, batch.changed) for batch in batches] == [(2, []), (2, []), (1, [])]
    assert reviewed() == dict.fromkeys(events, ("dismissed", BOB))
    assert [act["event_ids"] for act in acts()[1:]] == [
        [str(event) for event in batch] for batch in (events[:2], events[2:4], events[4:])
    ]


def test_an_event_that_changed_after_the_list_is_reported_and_not_overwritten(console: Console) -> None:
    early, changed, last = flag(number=3)
    console.put(f"/anomalies/{early}", {"status": "confirmed"})
    listed_at = read_clock()
    console.put(f"/anomalies/{changed}", {"status": "confirmed"})
    later = EventFactory.create(type="anomaly_detected").pk

    assert count_listed(shown=Status.UNREVIEWED, listed_at=listed_at, limit=100) == 2
    (batch,) = review_list(shown=Status.UNREVIEWED, listed_at=listed_at)

    assert (batch.reviewed, batch.changed) == (1, [changed])
    assert reviewed() == {
        early: ("confirmed", console.user_id),
        changed: ("confirmed", console.user_id),
        last: ("dismissed", BOB),
    }
    assert not Review.objects.filter(pk=later).exists()


@pytest.mark.parametrize(("shown", "reviewed"), [(None, 3), (Status.CONFIRMED, 1), (Status.DISMISSED, 1)])
def test_the_filter_selects_the_events_that_are_reviewed(console: Console, shown: Status | None, reviewed: int) -> None:
    events = flag(number=3)
    for event, status in zip(events, ("confirmed", "dismissed"), strict=False):
        console.put(f"/anomalies/{event}", {"status": status})

    (batch,) = review_list(shown=shown, listed_at=read_clock())

    assert (batch.reviewed, batch.changed) == (reviewed, [])


def test_a_stopped_run_continues_at_its_cursor(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded_reviews, "BATCH", 2)
    events = flag(number=5)
    listed_at = read_clock()

    stopped: BatchReviewed = next(review_list(shown=Status.UNREVIEWED, listed_at=listed_at))
    assert reviewed() == dict.fromkeys(events[:2], ("dismissed", BOB))
    rest = list(review_list(shown=Status.UNREVIEWED, listed_at=listed_at, cursor=stopped.cursor))

    assert [(batch.reviewed, batch.changed) for batch in rest] == [(2, []), (1, [])]


def test_a_key_is_changed_only_if_it_has_the_expected_value(console: Console, alice: Person) -> None:
    arguments: dict[str, Any] = {
        "user_id": alice.user_id,
        "key": "plan",
        "operator_id": BOB,
        "client": CLIENT,
        "now": read_clock(),
    }
    change = partial(metadata.set_metadata_if_unchanged, **arguments)
    remove = partial(metadata.remove_metadata_if_unchanged, **arguments)

    answers = [
        change(value=True, expected="gold"),
        change(value=True, expected=ABSENT),
        change(value={"b": 1, "a": 2}, expected=1),
        change(value={"b": 1, "a": 2}, expected=True),
        remove(expected=True),
        change(value=1e22, expected={"a": 2, "b": 1}),
        remove(expected=1e22),
        remove(expected=1e22),
    ]

    conflicts = [answer.current for answer in answers if isinstance(answer, MetadataConflict)]
    assert conflicts == [ABSENT, True, {"a": 2, "b": 1}, ABSENT]
    assert [isinstance(answer, Metadata) for answer in answers] == [False, True, False, True, False, True, True, False]
    acts = Event.objects.filter(type="operator_metadata_changed").order_by("id")
    assert [act.metadata["change"] for act in acts] == ["set", "set", "set", "removed"]


@pytest.mark.django_db(transaction=True)
def test_of_operators_who_saw_the_same_state_only_one_changes_it() -> None:
    olivia = operator(sign_up("olivia", api=Api()))
    (event,) = flag()
    with Crowd(8) as crowd:
        reviewed = crowd.at_once(
            *[
                partial(submit_review, event, Status.CONFIRMED, seen_at=None, operator_id=str(number))
                for number in range(8)
            ]
        )
        stored = crowd.at_once(
            *[
                partial(
                    metadata.set_metadata_if_unchanged,
                    user_id=olivia.person.user_id,
                    key="plan",
                    value=number,
                    expected=ABSENT,
                    operator_id=str(number),
                    client=CLIENT,
                    now=read_clock(),
                )
                for number in range(8)
            ]
        )

    assert sum(isinstance(answer, ReviewRecord) for answer in reviewed) == 1
    assert sum(isinstance(answer, Metadata) for answer in stored) == 1
    assert len(acts()) == 1
