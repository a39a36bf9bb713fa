"""The pages of the review queue. `tests/browser` works the queue with a keyboard."""

import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from html import unescape
from typing import Any
from uuid import UUID

import pytest

from accounts.models import Event
from console.browser.pages.reviews import queue as reviews
from console.models import Review
from console.reviews import guarded as guarded_reviews
from core.clock import now as read_clock
from tests.console_browser import Browser, grant, prefix, signed_in
from tests.factories import EventFactory
from tests.people import Person, existing

from .flagged import ELSEWHERE, guess_at, spray

Configure = Callable[..., None]

pytestmark = pytest.mark.usefixtures("full_deployment", "db")

HOSTILE = "<script>alert(1)</script>\"'\u202e=1+1"
PART = {"HX-Request": "true"}


def browser_of(name: str) -> Browser:
    """Return a browser in which a new operator of this name is signed in."""
    person = existing(name)
    grant(person)
    return signed_in(person)


@pytest.fixture
def olivia(configure: Configure) -> Browser:
    """The browser of Olivia, an operator."""
    configure(OPERATOR_SECOND_FACTOR="optional")
    return browser_of("olivia")


@pytest.fixture
def oscar(olivia: Browser) -> Browser:
    """The browser of Oscar, another operator."""
    return browser_of("oscar")


def flag(*, number: int = 1, **members: Any) -> list[UUID]:
    """Return the ids of that many new flagged events, the newest first."""
    start = read_clock() - timedelta(minutes=5)
    values = {"type": "anomaly_detected", "metadata": {"signals": ["new_ip", "new_device"]}, **members}
    moments = [start - timedelta(seconds=second) for second in range(number)]
    return [EventFactory.create(created_at=moment, **values).pk for moment in moments]


def listed(browser: Browser, query: str = "") -> list[UUID]:
    """Return the ids of the events that the list shows."""
    return [UUID(found) for found in re.findall(r'<tr id="event-([^"]*)"', browser.open(f"reviews{query}").text)]


def submit_review(browser: Browser, event: UUID, status: str, note: str = "", **form: str) -> Browser:
    """Send the form of the event's page."""
    seen_at = browser.open(f"reviews/{event}").field("seen_at")
    return browser.submit(f"reviews/{event}", {"status": status, "note": note, "seen_at": seen_at, **form})


def stored_reviews() -> dict[UUID, tuple[str, str]]:
    """Return the status and the note of each review."""
    return {row.pk: (row.status, row.note) for row in Review.objects.all()}


def unescaped(browser: Browser) -> str:
    """Return the text of the page without tags."""
    return unescape(re.sub(r"<[^>]*>", "", browser.text))


def test_the_list_says_in_plain_words_why_detection_flagged_an_event(olivia: Browser, alice: Person) -> None:
    guess_at(alice)
    spray()

    text = unescaped(olivia.open("reviews"))

    assert "5 failed logins to this account within 15 minutes" in text
    assert "The login failed." in text
    assert "This IP address failed at 10 unknown addresses within 60 minutes" in text
    assert alice.email in text
    assert f"ip={ELSEWHERE}&amp;since=" in olivia.text
    assert f"user={alice.user_id}&amp;since=" in olivia.text


def test_every_signal_has_words_with_or_without_figures(olivia: Browser) -> None:
    cases: dict[str, Any] = {
        "New IP address": {"signals": ["new_ip"]},
        "New IP address and new device": {"signals": ["new_device", "new_ip"], "window_minutes": 15},
        "20 failed logins from this IP address within 15 minutes": {
            "signals": ["ip_failure_velocity"],
            "ip_failures": 20,
            "window_minutes": 15,
        },
        "11 live sessions of this account": {"signals": ["concurrent_sessions"], "sessions": 11},
        "This IP address failed at 9 accounts and 1 unknown address": {
            "signals": ["account_spray", "unknown_account_spray"],
            "accounts": 9,
            "unknown_accounts": 1,
        },
        "Several failed logins to this account. A refresh token of the account was used twice in the last 1 hour": {
            "signals": ["token_reuse", "user_failure_velocity"],
            "reuse_hours": 1,
        },
        HOSTILE: {"signals": [HOSTILE]},
        "Flagged without a reason": {"signals": "nonsense"},
    }
    events = [flag(metadata=metadata)[0] for metadata in cases.values()]

    text = unescaped(olivia.open("reviews"))

    for reasons in cases:
        assert f"{reasons}." in text
    for event, reasons in zip(events, cases, strict=True):
        assert reasons in unescaped(olivia.open(f"reviews/{event}"))
        assert "<script>alert" not in olivia.text


def test_the_filter_and_the_pages_are_in_the_address(olivia: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "PAGE_SIZE", 2)
    events = flag(number=5)
    Review.objects.create(event_id=events[0], status="dismissed", reviewer_id="x", updated_at=read_clock())

    assert listed(olivia) == events[1:3]
    older = re.search(r'href="[^"]*(\?[^"]*)" rel="next"', olivia.text)
    assert older is not None
    assert listed(olivia, unescape(older[1])) == events[3:]
    assert "The end of the list" in olivia.text
    assert listed(olivia, "?status=dismissed") == events[:1]
    assert listed(olivia, "?status=all") == events[:2]
    assert olivia.open("reviews?status=nonsense").status == 400
    assert olivia.open("reviews?cursor=nonsense").status == 400


def test_a_full_page_of_the_list_stays_small(olivia: Browser, alice: Person) -> None:
    for event in flag(number=reviews.PAGE_SIZE, user_id=alice.user_id, ip="2001:db8:1234:5678:9abc:def0:1234:5678"):
        Review.objects.create(
            event_id=event, status="confirmed", note="n" * 500, reviewer_id=alice.user_id, updated_at=read_clock()
        )

    assert len(listed(olivia, "?status=confirmed")) == reviews.PAGE_SIZE
    assert len(olivia.page.content) < 60 * 1024


def test_a_review_returns_to_the_list_at_the_next_event(olivia: Browser) -> None:
    first, second = flag(number=2)

    submit_review(olivia, first, "dismissed", "Alice\r\nis on a journey.")

    assert olivia.location == f"{prefix()}reviews#event-{second}"
    assert stored_reviews() == {first: ("dismissed", "Alice\nis on a journey.")}
    assert "Dismissed: New IP address and new device." in olivia.open("reviews").text
    assert listed(olivia) == [second]
    assert "Dismissed by you" in " ".join(unescaped(olivia.open(f"reviews/{first}")).split())


def test_the_operator_undoes_the_last_review_from_the_list(olivia: Browser) -> None:
    first, second = flag(number=2)
    submit_review(olivia, first, "confirmed", "An attack.")

    olivia.open("reviews")
    reviewed_at = olivia.field("reviewed_at")
    olivia.submit(f"reviews/{first}/undo", {"reviewed_at": reviewed_at})

    assert olivia.location == f"{prefix()}reviews#event-{first}"
    assert "Undone." in olivia.follow().text
    assert stored_reviews() == {first: ("unreviewed", "")}
    assert listed(olivia) == [first, second]
    assert 'action=""' in olivia.text
    olivia.submit(f"reviews/{first}/undo", {"reviewed_at": reviewed_at}).follow()
    assert "Nothing is undone" in olivia.text


def test_of_two_operators_the_second_sees_both_reviews_and_decides(olivia: Browser, oscar: Browser) -> None:
    (event,) = flag()
    stale = olivia.open(f"reviews/{event}").field("seen_at")
    submit_review(oscar, event, "dismissed", f"of Oscar {HOSTILE}")

    submit_review(olivia, event, "confirmed", "of Olivia", seen_at=stale)

    assert olivia.status == 409
    text = unescaped(olivia)
    for part in ("This review changed", f"of Oscar {HOSTILE}", "of Olivia", "oscar"):
        assert part in text
    assert "<script>alert" not in olivia.text
    assert stored_reviews()[event][0] == "dismissed"
    again = {"status": "confirmed", "note": "of Olivia", "seen_at": olivia.field("seen_at")}
    assert olivia.submit(f"reviews/{event}", again).status == 303
    assert stored_reviews() == {event: ("confirmed", "of Olivia")}


def test_a_part_of_the_page_gets_the_row_or_the_conflict(olivia: Browser, oscar: Browser) -> None:
    (event,) = flag()
    form = {"csrf_token": olivia.open(f"reviews/{event}").field("csrf_token"), "status": "confirmed", "seen_at": ""}

    row = olivia.send(f"reviews/{event}", {**form, "note": "Seen."}, headers=PART)
    assert (row.status, row.text.count("<tr "), "<html" in row.text) == (200, 1, False)
    conflict = olivia.send(f"reviews/{event}", form, headers=PART)
    assert (conflict.status, "data-seen=" in conflict.text, "<html" in conflict.text) == (409, True, False)
    assert "Seen." in olivia.open(f"reviews/{event}", headers=PART).text
    submit_review(oscar, event, "dismissed")
    undo = {**form, "reviewed_at": "2026-01-01T00:00:00Z"}
    assert olivia.send(f"reviews/{event}/undo", undo, headers=PART).status == 409
    assert "Dismissed" in olivia.text


def test_a_review_with_wrong_input_keeps_the_note(olivia: Browser) -> None:
    (event,) = flag()

    submit_review(olivia, event, "confirmed", "n" * 501)
    assert olivia.status == 422
    assert "must have at most 500 characters." in olivia.text
    assert "n" * 501 in olivia.text
    assert submit_review(olivia, event, "nonsense").status == 422
    assert submit_review(olivia, event, "confirmed", seen_at="nonsense").status == 422
    assert olivia.submit(f"reviews/{event}/undo", {"reviewed_at": "x"}).status == 400
    assert olivia.open("reviews/unknown").status == 404
    assert olivia.send(f"reviews/{event}", {"status": "confirmed"}).status == 403
    assert "/sign-in" in Browser().open(f"reviews/{event}").location
    assert stored_reviews() == {}


def test_one_review_applies_to_all_events_of_the_list(
    olivia: Browser, oscar: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarded_reviews, "BATCH", 2)
    *events, changed = flag(number=5)
    olivia.open("reviews")
    path = unescape(re.findall(rf'href="{prefix()}(reviews/all[^"]*)"', olivia.text)[0])
    assert "5 events" in olivia.open(path).text
    submit_review(oscar, changed, "confirmed", "An attack.")
    later = EventFactory.create(type="anomaly_detected").pk

    olivia.submit(path, {"new_status": "dismissed", "note": "A test of ours.", "total": "5"})

    assert "Finished: 4 events now are dismissed" in olivia.text
    assert f"reviews/{changed}" in olivia.text
    assert later not in stored_reviews()
    assert stored_reviews() == {
        **dict.fromkeys(events, ("dismissed", "A test of ours.")),
        changed: ("confirmed", "An attack."),
    }


def test_a_large_list_is_reviewed_in_several_requests(olivia: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded_reviews, "BATCH", 1)
    monkeypatch.setattr(reviews, "BATCHES_OF_PAGE", 2)
    monkeypatch.setattr(reviews, "BATCHES_OF_PART", 2)
    flag(number=5)
    form: dict[str, str] = {"new_status": "confirmed", "note": "An attack.", "total": "5"}
    path = "reviews/all?status=unreviewed&listed_at=2990-01-01T00:00:00Z"
    shown: list[str] = []

    while "Finished" not in olivia.submit(path, form).text:
        shown += re.findall(r"\d of 5 events done", olivia.text)
        names: Sequence[str] = ("new_status", "note", "total", "reviewed", "changed", "named", "cursor")
        form = {name: olivia.field(name) for name in names}

    assert shown == ["2 of 5 events done", "4 of 5 events done"]
    assert "Finished: 5 events now are confirmed" in olivia.text
    assert set(stored_reviews().values()) == {("confirmed", "An attack.")}
    part = {"csrf_token": olivia.token(), "new_status": "dismissed", "note": ""}
    flag(number=3)
    olivia.send(path, part, headers=PART)
    assert ("hx-trigger" in olivia.text, "<html" in olivia.text) == (True, False)
    assert olivia.submit(path, {"new_status": "", "note": "kept"}).status == 422
    assert "kept" in olivia.text


def test_an_empty_queue_says_what_would_fill_it(olivia: Browser, configure: Configure) -> None:
    assert "No event waits for a review" in olivia.open("reviews").text
    assert "No event is listed here" in olivia.open("reviews?status=confirmed").text
    assert "The list is empty." in olivia.open("reviews/all").text
    configure(ANOMALY_DETECTION="off")
    assert "ANOMALY_DETECTION=on" in olivia.open("reviews").text


def test_the_acts_of_the_queue_name_their_author(olivia: Browser) -> None:
    (event,) = flag()

    submit_review(olivia, event, "dismissed")

    (act,) = Event.objects.filter(type="operator_event_reviewed")
    assert act.metadata == {"event_ids": [str(event)], "status": "dismissed"}


def test_the_queue_groups_attacks_and_users_and_counts_on_its_tabs(olivia: Browser, alice: Person, bob: Person) -> None:
    spray = {"type": "credential_stuffing_detected", "metadata": {"signals": ["account_spray"], "accounts": 12}}
    of_attack = flag(number=30, ip="198.51.100.9", user_id=None, **spray)
    of_attack = [
        *flag(ip="198.51.100.10", user_id=bob.user_id, metadata={"signals": ["stopped_at_factor"]}),
        *of_attack,
    ]
    of_alice = flag(number=2, user_id=alice.user_id, ip="192.0.2.1")
    (of_bob,) = flag(user_id=bob.user_id, ip="192.0.2.2")
    submit_review(olivia, of_bob, "dismissed")

    text = " ".join(unescape(re.sub(r"<[^>]*>", " ", olivia.open("reviews").text)).split())

    assert "Unreviewed 33 Confirmed 0 Dismissed 1 All 34" in text
    assert "Attack 198.51.100.0/24 31 " in text
    assert "Had the right password of 1 account and stopped at the second factor. What it reached" in text
    assert f"User {alice.email} 2 " in text
    assert f"User {bob.email}" not in text
    assert listed(olivia, f"?user={alice.user_id}") == of_alice
    assert f"Reviews about {alice.email}" in unescaped(olivia)
    assert listed(olivia, "?network=198.51.100.0/24") == of_attack[:25]
    older = re.search(r'href="([^"]*cursor[^"]*)" rel="next"', olivia.text)
    assert older is not None
    assert listed(olivia, unescape(older[1]).removeprefix(f"{prefix()}reviews")) == of_attack[25:]
    all_of_alice = re.search(
        rf'href="{prefix()}(reviews/all[^"]*user={alice.user_id}[^"]*)"', olivia.open("reviews").text
    )
    assert all_of_alice is not None
    assert "2 events will get this review" in " ".join(unescaped(olivia.open(unescape(all_of_alice[1]))).split())


def test_the_chosen_events_get_one_review_without_those_that_changed(olivia: Browser, oscar: Browser) -> None:
    events = flag(number=4)
    query = "&".join(f"event={event}" for event in events[:3])
    page = olivia.open(f"reviews/several?{query}").text
    assert page.count("This login was not the owner") == 3
    submit_review(oscar, events[1], "dismissed", "Known to me.")

    olivia.submit(f"reviews/several?{query}", {"status": "confirmed", "note": "Mine.", "seen": olivia.field("seen")})

    assert olivia.status == 409
    assert "2 events done." in olivia.text
    assert stored_reviews() == {
        events[0]: ("confirmed", "Mine."),
        events[1]: ("dismissed", "Known to me."),
        events[2]: ("confirmed", "Mine."),
    }
    acts = Event.objects.filter(type="operator_event_reviewed").order_by("-id")
    assert [len(act.metadata["event_ids"]) for act in acts[:1]] == [2]

    # The page now shows the review of the other operator, so the same form replaces it.
    olivia.submit(f"reviews/several?{query}", {"status": "confirmed", "note": "Mine.", "seen": olivia.field("seen")})
    assert "Confirmed: 1 event." in olivia.follow().text
    assert stored_reviews()[events[1]] == ("confirmed", "Mine.")


@pytest.mark.parametrize("query", ["", "?event=nonsense", f"?event={UUID(int=7)}"])
def test_no_chosen_event_is_no_error(olivia: Browser, query: str) -> None:
    assert olivia.open(f"reviews/several{query}").status == 200
    assert "No event is chosen" in olivia.text
    olivia.submit(f"reviews/several{query}", {"status": "confirmed", "seen": f"{UUID(int=7)}/ nonsense"})
    assert "Confirmed: 0 events." in olivia.follow().text


def test_a_confirmation_says_what_it_confirms(olivia: Browser) -> None:
    for signals, suspicion in (
        (["stopped_at_factor"], "Another person knows the password"),
        (["account_spray"], "This address attacks accounts"),
        (["new_device"], "This login was not the owner's"),
        (["a_later_signal"], "The event is suspicious"),
    ):
        (event,) = flag(metadata={"signals": signals, "wrong_codes": 2})
        assert f"Confirm: {suspicion}" in unescaped(olivia.open(f"reviews/{event}"))
