from datetime import timedelta

import time_machine

from console.models import DigestSchedule, RecordedDigest
from tests.operators import Console
from tests.people import Person
from tests.second_factors import lock

PATH = "/digest"


def test_a_digest_counts_the_events_until_now(travel: time_machine.Traveller, console: Console, alice: Person) -> None:
    lock(alice)
    travel.shift(timedelta(minutes=1))

    assert console.get(PATH).data == {
        "since": "2026-03-03T12:01:00.000000Z",
        "until": "2026-03-10T12:01:00.000000Z",
        "window_days": 7,
        "text": (
            "Gatehouse, 2026-03-03 12:01 to 2026-03-10 12:01 UTC (7 days)\n"
            "\n"
            "Signing in\n"
            "          1  logins (none before)\n"
            "          5  failed logins (none before)\n"
            "          1  locks after failed attempts (none before)\n"
            "\n"
            "Accounts\n"
            "          2  sign-ups (none before)\n"
            "\n"
            "Suspicious\n"
            "          1  suspicious logins or accounts (none before)\n"
            "\n"
            "Total users: 2\n"
            "\n"
            "Flagged events without a review: 1\n"
        ),
    }


def test_a_digest_compares_with_the_period_before(
    travel: time_machine.Traveller, console: Console, alice: Person
) -> None:
    for _ in range(4):
        alice.log_in()
    travel.shift(timedelta(days=1))
    later = console.renewed()
    travel.shift(timedelta(seconds=1))

    text = later.get(PATH, {"window_days": 1}).data["text"]

    assert "          1  logins (5 before, -80 %)\n" in text
    assert "          0  sign-ups (2 before, -100 %)\n" in text


def test_reviewed_events_do_not_count_as_open(console: Console, alice: Person) -> None:
    lock(alice)
    (anomaly,) = console.get("/anomalies").data["anomalies"]
    console.put(f"/anomalies/{anomaly['id']}", {"status": "dismissed"})

    assert "without a review" not in console.get(PATH).data["text"]


def test_a_requested_digest_is_not_stored(console: Console) -> None:
    console.get(PATH)

    assert not RecordedDigest.objects.exists()
    assert not DigestSchedule.objects.exists()


def test_a_digest_names_no_user(console: Console, alice: Person) -> None:
    lock(alice)

    text = console.get(PATH).data["text"]

    assert not any(secret in text for secret in (alice.email, alice.user_id, alice.api.ip))
