"""The lock of an address: alike for accounts and unknown addresses, and passed by the known networks of an account."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from pytest_django import Settings

from accounts.models import Event, LoginLock
from accounts.ops.retention import prune
from core.clock import now
from mail.models import OutgoingMail
from tests.client import PASSWORD, Api
from tests.people import Person

from .test_refusal_times import shapes

UNKNOWN = "Nobody@example.com"
OTHERS = Api(ip="198.51.100.7")


@pytest.fixture(autouse=True)
def travel() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(datetime(2026, 3, 1, 12, tzinfo=UTC), tick=False) as traveller:
        yield traveller


def attempt(api: Api, email: str, password: str = "wrong battery") -> str:
    answer = api.post("/v1/login", {"email": email, "password": password})
    return "ok" if answer.status == 200 else f"{answer.status} {answer.code}"


WRONG, LOCKED = "401 invalid_credentials", "403 account_locked"


def test_an_unknown_address_locks_as_an_account_does(alice: Person, travel: time_machine.Traveller) -> None:
    def answers(email: str) -> list[str]:
        seen = [attempt(OTHERS, email) for _ in range(7)]
        for shift in (899, 1):
            travel.shift(shift)
            seen.append(attempt(OTHERS, email))
        travel.shift(timedelta(days=1))
        return seen

    assert answers(alice.email) == answers(UNKNOWN) == [WRONG] * 5 + [LOCKED] * 3 + [WRONG]


def test_every_spelling_of_an_unknown_address_counts_as_one(alice: Person) -> None:
    spellings = [UNKNOWN, UNKNOWN.upper(), UNKNOWN.lower(), f" {UNKNOWN}", UNKNOWN]

    assert [attempt(OTHERS, email) for email in spellings] == [WRONG] * 5
    assert attempt(OTHERS, UNKNOWN) == LOCKED


@pytest.mark.parametrize("locks", [19, 20])
def test_the_locks_of_an_unknown_address_get_as_long_as_those_of_an_account(
    alice: Person, travel: time_machine.Traveller, locks: int
) -> None:
    lengths = {}
    for email in (alice.email, UNKNOWN):
        for _ in range(locks):
            travel.shift(timedelta(hours=1))
            assert [attempt(OTHERS, email) for _ in range(5)] == [WRONG] * 5
        travel.shift(901)
        lengths[email] = attempt(OTHERS, email)

    assert lengths[alice.email] == lengths[UNKNOWN] == (WRONG if locks < 20 else LOCKED)


def test_an_old_count_starts_again_for_both(alice: Person, travel: time_machine.Traveller) -> None:
    for email in (alice.email, UNKNOWN):
        assert [attempt(OTHERS, email) for _ in range(4)] == [WRONG] * 4
    travel.shift(timedelta(days=30, seconds=1))
    list(prune(now=now()))

    assert LoginLock.objects.count() == 0
    for email in (alice.email, UNKNOWN):
        assert [attempt(OTHERS, email) for _ in range(6)] == [WRONG] * 5 + [LOCKED]


def test_a_lock_stores_neither_the_address_nor_the_network(alice: Person) -> None:
    for email in (alice.email, UNKNOWN):
        attempt(OTHERS, email)

    rows = LoginLock.objects.values_list("digest", flat=True)
    assert [len(digest) for digest in rows] == [32, 32]
    assert not any("nobody" in str(event.metadata) for event in Event.objects.all())


def test_an_unknown_address_has_no_event_of_a_lock_and_no_mail_to_any_person(alice: Person) -> None:
    for _ in range(6):
        attempt(OTHERS, UNKNOWN)

    assert not Event.objects.filter(type="account_locked").exists()
    assert [(mail.template, mail.account_id) for mail in OutgoingMail.objects.all()] == [("account_locked", None)]


def test_an_attempt_during_a_lock_runs_the_same_statements_for_both(alice: Person) -> None:
    for email in (alice.email, UNKNOWN):
        for _ in range(5):
            attempt(OTHERS, email)

    known, unknown = shapes(lambda: attempt(OTHERS, alice.email)), shapes(lambda: attempt(OTHERS, UNKNOWN))

    assert sorted(known) == sorted(unknown)


def test_a_known_network_passes_a_lock_that_others_caused(alice: Person) -> None:
    alice.log_in()
    for _ in range(5):
        attempt(OTHERS, alice.email)
    assert attempt(OTHERS, alice.email, PASSWORD) == LOCKED

    assert attempt(alice.api, alice.email, PASSWORD) == "ok"

    assert alice.account().locked_until is not None
    assert attempt(OTHERS, alice.email, PASSWORD) == LOCKED


def test_the_wrong_passwords_of_a_known_network_lock_it_too(alice: Person, travel: time_machine.Traveller) -> None:
    alice.log_in()
    for _ in range(5):
        attempt(OTHERS, alice.email)

    assert [attempt(alice.api, alice.email) for _ in range(6)] == [WRONG] * 5 + [LOCKED]
    assert attempt(alice.api, alice.email, PASSWORD) == LOCKED
    travel.shift(900)
    assert attempt(alice.api, alice.email, PASSWORD) == "ok"


def test_a_known_network_that_caused_the_lock_does_not_pass_it(alice: Person) -> None:
    alice.log_in()

    assert [attempt(alice.api, alice.email) for _ in range(5)] == [WRONG] * 5
    assert attempt(alice.api, alice.email, PASSWORD) == LOCKED


def test_a_login_without_a_lock_resets_the_count_of_the_network(alice: Person) -> None:
    assert [attempt(alice.api, alice.email) for _ in range(4)] == [WRONG] * 4
    alice.log_in()
    for _ in range(5):
        attempt(OTHERS, alice.email)

    assert [attempt(alice.api, alice.email) for _ in range(6)] == [WRONG] * 5 + [LOCKED]


def test_logins_during_a_lock_reset_nothing(alice: Person) -> None:
    alice.log_in()
    for _ in range(5):
        attempt(OTHERS, alice.email)

    assert [attempt(alice.api, alice.email, PASSWORD) for _ in range(6)] == ["ok"] * 5 + [LOCKED]


def test_a_network_of_a_login_long_ago_does_not_pass_a_lock(alice: Person, travel: time_machine.Traveller) -> None:
    alice.log_in()
    travel.shift(timedelta(days=31))
    for _ in range(5):
        attempt(OTHERS, alice.email)

    assert attempt(alice.api, alice.email, PASSWORD) == LOCKED


@pytest.mark.parametrize("threshold", [1, 2])
def test_the_threshold_holds_for_unknown_addresses_too(settings: Settings, threshold: int) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOCKOUT_THRESHOLD": str(threshold)}

    assert [attempt(OTHERS, UNKNOWN) for _ in range(threshold + 1)] == [WRONG] * threshold + [LOCKED]
