"""A refused login takes equally long for every address, with every kind of stored password hash."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from statistics import median
from time import perf_counter

import pytest
from django.contrib.auth.hashers import BasePasswordHasher, PBKDF2PasswordHasher, ScryptPasswordHasher
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from accounts.models import Event, StoredHashKind
from accounts.passwords import hashing
from accounts.proofs import hash_kinds, refusals
from accounts.proofs.hash_kinds import ScanHashKinds, find_kinds
from core.clock import now
from core.threads import REFUSAL_THREADS
from tests.client import PASSWORD, Api
from tests.people import Person

PAIRS = 9


@pytest.fixture(autouse=True)
def _fresh(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Start the process without measurements, and disable the account lock."""
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOCKOUT_THRESHOLD": "1000"}
    monkeypatch.setattr(hash_kinds, "PAUSE_SECONDS", 0)
    refusals.forget()
    yield
    refusals.forget()


def store(person: Person, encoded: str) -> None:
    """Store another password hash for the person, as an import or a login on the host project would."""
    user = person.account().user
    user.password = encoded
    user.save(update_fields=["password"])


def scan() -> None:
    """Run the worker's daily scan, and make the process read the result."""
    ScanHashKinds().run(now(), lambda: False)
    refusals.forget()


def fail(api: Api, email: str) -> None:
    answer = api.post("/v1/login", {"email": email, "password": "wrong battery"})
    assert (answer.status, answer.code) == (401, "invalid_credentials")


def seconds_of(work: Callable[[], object]) -> float:
    before = perf_counter()
    work()
    return perf_counter() - before


def ratio(api: Api, person: Person) -> float:
    """Return the median ratio of the time of a refusal for the account to that for an unknown address."""
    for email in (person.email, "nobody@example.com"):
        fail(api, email)
    return median(
        seconds_of(lambda: fail(api, person.email)) / seconds_of(lambda: fail(api, "nobody@example.com"))
        for _ in range(PAIRS)
    )


@pytest.mark.parametrize(
    ("hasher", "costs", "todays_passes"),
    [(PBKDF2PasswordHasher(), (150_000,), "1"), (PBKDF2PasswordHasher(), (1,), "5000")],
    ids=["a stored hash is the slowest", "today's hash is the slowest"],
)
def test_a_refusal_takes_as_long_for_an_account_as_for_an_unknown_address(
    api: Api, alice: Person, settings: Settings, hasher: BasePasswordHasher, costs: tuple[int, ...], todays_passes: str
) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "ARGON2_TIME": todays_passes}
    store(alice, hasher.encode(PASSWORD, "salt", *costs))
    scan()

    # Without the wait, one of the two takes several times as long as the other.
    assert 0.6 < ratio(api, alice) < 1.6


def test_a_refusal_takes_as_long_for_an_account_with_a_hash_of_another_system(api: Api, alice: Person) -> None:
    store(alice, f"foreign$6$30000$saltsalt${'.' * 86}")
    scan()

    assert 0.6 < ratio(api, alice) < 1.6
    assert set(refusals.expect().pace.hashes) == {hashing.todays_kind(), hashing.kind_of(alice.account().user.password)}


def test_a_refusal_does_not_wait_when_all_hashes_are_of_the_current_kind(api: Api, alice: Person) -> None:
    scan()

    fail(api, alice.email)

    assert find_kinds() == {hashing.todays_kind()}
    assert not refusals.expect().pace.hashes


def test_a_refusal_waits_outside_the_hash_slots_and_outside_transactions(
    api: Api, alice: Person, monkeypatch: pytest.MonkeyPatch, transactional_db: None
) -> None:
    store(alice, PBKDF2PasswordHasher().encode(PASSWORD, "salt", 200_000))
    scan()
    waits: list[tuple[bool, int, int, int]] = []

    def record_state(seconds: float) -> None:
        recorded = Event.objects.filter(type="login_failed").count()
        waits.append((connection.in_atomic_block, hashing._slots._working, hashing._slots._inside, recorded))

    monkeypatch.setattr("accounts.proofs.refusals.sleep", record_state)
    fail(api, "nobody@example.com")

    assert waits == [(False, 0, 1, 1)]


def test_a_login_is_overloaded_while_too_many_refusals_wait(api: Api, alice: Person) -> None:
    with ExitStack() as waiting:
        for _ in range(REFUSAL_THREADS):
            waiting.enter_context(refusals._slots.counted())
        answer = api.post("/v1/login", {"email": alice.email, "password": PASSWORD})

    assert (answer.status, answer.code) == (503, "overloaded")
    assert api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).status == 200


def test_a_refusal_records_a_kind_of_hash_that_no_scan_has_found(api: Api, alice: Person) -> None:
    scan()
    store(alice, ScryptPasswordHasher().encode(PASSWORD, "salt", 2, 1, 1))

    fail(api, alice.email)

    assert "scrypt$2$salt$1$1$digest" in find_kinds()
    assert "scrypt$2$salt$1$1$digest" in refusals.expect().pace.hashes


def test_the_next_scan_removes_a_kind_of_hash_that_no_user_has(alice: Person, bob: Person) -> None:
    store(alice, PBKDF2PasswordHasher().encode(PASSWORD, "salt", 10))
    scan()
    assert find_kinds() == {"pbkdf2_sha256$10$salt$digest", hashing.todays_kind()}

    store(alice, "!unusable")
    scan()

    assert find_kinds() == {hashing.todays_kind()}


def test_a_scan_reads_all_batches_and_stops_on_request(
    alice: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hash_kinds, "BATCH", 1)
    store(bob, PBKDF2PasswordHasher().encode(PASSWORD, "salt", 10))

    ScanHashKinds().run(now(), lambda: True)
    assert not StoredHashKind.objects.exists()
    scan()

    assert len(find_kinds()) == 2


@pytest.mark.parametrize("path", ["/v1/magic-link/request", "/v1/password/forgot"])
def test_a_request_for_a_link_runs_the_same_statements_for_known_and_unknown_addresses(
    api: Api, alice: Person, path: str
) -> None:
    def ask(email: str) -> None:
        assert api.post(path, {"email": email}).status == 200

    for email in (alice.email, "nobody@example.com"):
        for _ in range(4):
            ask(email)

    known, unknown = shapes(lambda: ask(alice.email)), shapes(lambda: ask("nobody@example.com"))

    assert sorted(known) == sorted(unknown)


def shapes(work: Callable[[], object]) -> list[str]:
    """Return the statements that the work runs, without their values.

    Their order may differ: a host's users without an account are searched early for an unknown address.
    """
    with CaptureQueriesContext(connection) as captured:
        work()
    # The driver writes a cast after some values.
    statements = [
        re.sub(r"\bWHERE .*|::\w+|'[^']*'|\b\d[\d.]*\b|NULL", "?", str(query["sql"])).replace("??", "?")
        for query in captured
    ]
    return [statement for statement in statements if "SAVEPOINT" not in statement]


def test_a_refused_login_runs_the_same_statements_for_known_and_unknown_addresses(api: Api, alice: Person) -> None:
    fail(api, alice.email)

    known, unknown = shapes(lambda: fail(api, alice.email)), shapes(lambda: fail(api, "nobody@example.com"))

    assert sorted(known) == sorted(unknown)
