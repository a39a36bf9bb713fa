from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.hashers import PBKDF2PasswordHasher

from core.clock import now
from events.rollup import roll_up
from tests.factories import EventFactory
from tests.operators import Console
from tests.people import Person
from tests.rows import each

from .invalid_numbers import invalid_numbers

PATH = "/security/hash-migration"
WINDOWS = invalid_numbers(1, 365)


@pytest.fixture(autouse=True)
def _upgrades(configure: Any) -> None:
    """Let logins rewrite hashes in a host project, too."""
    configure(PASSWORD_HASH_UPGRADE="on")


def rewrite(person: Person) -> None:
    """Log in to an account with an old kind of hash, so that the login rewrites the hash."""
    user = person.account().user
    user.password = PBKDF2PasswordHasher().encode(person.password, "salt", 10)
    user.save()
    person.log_in()
    assert person.account().user.password.startswith("argon2$argon2id$")


def counts(console: Console, query: str = "") -> list[int]:
    data = console.renewed().get(PATH, query).data
    return [data[name] for name in ("upgraded_events", "upgraded_events_in_window", "estimated_remaining")]


def test_a_report_names_the_current_hasher_and_counts_rewritten_hashes(console: Console, alice: Person) -> None:
    rewrite(alice)

    assert console.get(PATH).data == {
        "hasher": {"algorithm": "argon2id", "memory_kib": 8, "iterations": 1, "parallelism": 1},
        "total_users": 2,
        "upgraded_events": 1,
        "estimated_remaining": 1,
        "window_days": 7,
        "upgraded_events_in_window": 1,
    }


def test_the_report_names_the_configured_hasher_and_not_the_stored_ones(console: Console, configure: Any) -> None:
    configure(ARGON2_MEMORY_KIB="", ARGON2_TIME="", ARGON2_PARALLELISM="4")

    assert console.get(PATH).data["hasher"] == {
        "algorithm": "argon2id",
        "memory_kib": 19456,
        "iterations": 2,
        "parallelism": 4,
    }


def test_a_login_without_a_rewrite_is_not_counted(console: Console, alice: Person) -> None:
    alice.log_in()

    assert counts(console) == [0, 0, 2]


def test_events_are_counted_and_not_users(console: Console, alice: Person) -> None:
    for _ in range(3):
        rewrite(alice)

    assert counts(console) == [3, 3, 0]


def test_counts_are_exact_with_and_without_stored_daily_counts(
    travel: time_machine.Traveller, console: Console, alice: Person, bob: Person
) -> None:
    rewrite(alice)
    travel.shift(timedelta(days=14))
    rewrite(alice)
    rewrite(bob)
    travel.shift(timedelta(days=6))
    rewrite(bob)
    travel.shift(timedelta(seconds=1))
    expected = {"": [4, 3, 0], "window_days=1": [4, 1, 0], "window_days=20": [4, 3, 0], "window_days=21": [4, 4, 0]}

    before = {query: counts(console, query) for query in expected}
    assert len(list(roll_up(now=now()))) == 20
    after = {query: counts(console, query) for query in expected}

    assert before == after == expected


def test_the_window_ends_now_and_begins_exactly_its_length_before(
    travel: time_machine.Traveller, console: Console
) -> None:
    week = timedelta(days=7)
    for moment in (now() - week - timedelta(microseconds=1), now() - week, now() - timedelta(microseconds=1)):
        EventFactory.create(type="password_hash_upgraded", created_at=moment)

    assert counts(console) == [3, 2, 0]


@pytest.mark.parametrize("window_days", [1, 365])
def test_the_smallest_and_the_largest_window_are_allowed(console: Console, window_days: int) -> None:
    assert console.get(PATH, {"window_days": window_days}).data["window_days"] == window_days


@each("path", [PATH, "/security/mfa-adoption", "/digest", "/config-tuning"])
@each("window_days", WINDOWS)
def test_every_report_refuses_a_window_out_of_bounds(console: Console, path: str, window_days: str) -> None:
    assert console.get(path, f"window_days={window_days}").code == "bad_request"


@pytest.mark.parametrize(
    ("path", "days"), [(PATH, 7), ("/security/mfa-adoption", 7), ("/digest", 7), ("/config-tuning", 30)]
)
def test_an_omitted_window_has_its_default(console: Console, path: str, days: int) -> None:
    assert console.get(path).data["window_days"] == days
