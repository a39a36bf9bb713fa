"""Password hashes: how they are computed and verified, and how many are computed at once."""

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from queue import SimpleQueue
from threading import Barrier, Event, Lock, Thread
from time import monotonic, thread_time

import argon2
import hypothesis
import pytest
from argon2.exceptions import VerifyMismatchError
from django.contrib.auth.hashers import (
    Argon2PasswordHasher,
    PBKDF2PasswordHasher,
    PBKDF2SHA1PasswordHasher,
    ScryptPasswordHasher,
)
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from nacl.bindings import crypto_pwhash_alg
from pytest_django import Settings

from accounts.passwords import argon2id, hashing
from accounts.passwords.hash_memory import HashMemory
from accounts.passwords.hashing import (
    Verification,
    check_room,
    hash_password,
    kind_of,
    measure,
    verify_nothing,
    verify_password,
)
from accounts.passwords.rules import normalize
from accounts.proofs import refusals
from core.db.deployment import has_own_users
from core.errors import Overloaded
from core.threads import Slots
from tests.rows import each

CHEAP = {"ARGON2_MEMORY_KIB": "8", "ARGON2_TIME": "1", "PASSWORD_HASH_CONCURRENCY": "2"}
RIGHT = Verification(ok=True, rewrite=False)
OLD = Verification(ok=True, rewrite=True)
WRONG = Verification(ok=False, rewrite=False)

COMPOSED = "caf\u00e9 au lait"
DECOMPOSED = "cafe\u0301 au lait"
PATIENCE = 20
"""Seconds that a test waits for a thread before it fails."""


@pytest.fixture(autouse=True)
def cheap(settings: Settings) -> None:
    settings.AUTH_SERVICE = CHEAP


@pytest.fixture
def argon2_runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list. Each hash by PyNaCl, and each refusal by argon2-cffi, appends the costs of its hash."""
    runs: list[str] = []
    real = argon2.PasswordHasher.verify
    real_of_pynacl = crypto_pwhash_alg

    def compute(outlen: int, passwd: bytes, salt: bytes, opslimit: int, memlimit: int, alg: int) -> bytes:
        digest = real_of_pynacl(outlen, passwd, salt, opslimit, memlimit, alg)
        runs.append(f"m={memlimit // 1024},t={opslimit},p=1")
        return digest

    def verify(self: argon2.PasswordHasher, encoded: str, password: str) -> bool:
        try:
            return real(self, encoded, password)
        except VerifyMismatchError:
            runs.append(encoded.split("$")[3])
            raise

    monkeypatch.setattr(argon2.PasswordHasher, "verify", verify)
    monkeypatch.setattr(argon2id, "crypto_pwhash_alg", compute)
    return runs


class CheapArgon2(Argon2PasswordHasher):
    """Argon2 with a host project's own costs."""

    time_cost, memory_cost, parallelism = 2, 16, 2


def test_a_hash_is_argon2id_in_djangos_format_and_salted() -> None:
    first, second = hash_password("correct horse"), hash_password("correct horse")

    assert first.startswith("argon2$argon2id$v=19$m=8,t=1,p=1$")
    assert len(first) <= 128
    assert first != second
    assert verify_password("correct horse", first) == verify_password("correct horse", second) == RIGHT
    assert verify_password("Correct horse", first) == WRONG


def test_the_default_costs_are_those_of_the_contract_and_unknown_accounts_take_as_long_as_known_ones(
    settings: Settings,
) -> None:
    settings.AUTH_SERVICE = {}
    encoded = hash_password("correct horse")

    assert encoded.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert verify_password("correct horse", encoded) == RIGHT
    pairs = [
        (seconds_of(lambda: verify_password("wrong", encoded)), seconds_of(lambda: verify_nothing("wrong")))
        for _ in range(3)
    ]
    known, unknown = (min(times) for times in zip(*pairs, strict=True))
    assert 0.6 < unknown / known < 1.7


@pytest.mark.parametrize(
    "encoded",
    [
        PBKDF2PasswordHasher().encode("secret", "salt", 10),
        PBKDF2SHA1PasswordHasher().encode("secret", "salt", 10),
        ScryptPasswordHasher().encode("secret", "salt", 2, 1, 1),
        CheapArgon2().encode("secret", "saltsaltsaltsaltsaltsalt"),
        "argon2" + argon2.PasswordHasher(1, 8, 1, type=argon2.Type.I).hash("secret"),
    ],
    ids=["pbkdf2", "pbkdf2 with SHA-1", "scrypt", "argon2 with other costs", "argon2i"],
)
def test_a_hash_of_another_kind_verifies_and_needs_a_rehash(encoded: str) -> None:
    assert verify_password("secret", encoded) == OLD
    assert verify_password("Secret", encoded) == WRONG


def test_the_hasher_settings_of_a_host_project_have_no_effect(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

    assert hash_password("secret").startswith("argon2$argon2id$")
    assert verify_password("secret", PBKDF2PasswordHasher().encode("secret", "salt", 10)) == OLD


def test_a_hash_needs_a_rehash_after_the_costs_change(settings: Settings) -> None:
    encoded = hash_password("secret")

    settings.AUTH_SERVICE = {**CHEAP, "ARGON2_TIME": "2"}
    assert verify_password("secret", encoded) == OLD

    settings.AUTH_SERVICE = {**CHEAP, "ARGON2_MEMORY_KIB": "16"}
    assert verify_password("secret", encoded) == OLD

    settings.AUTH_SERVICE = {**CHEAP, "ARGON2_MEMORY_KIB": "16", "ARGON2_PARALLELISM": "2"}
    assert verify_password("secret", encoded) == OLD


def test_every_spelling_of_a_password_matches_its_normalized_hash() -> None:
    encoded = hash_password(DECOMPOSED)

    assert verify_password(COMPOSED, encoded) == RIGHT
    assert verify_password(DECOMPOSED, encoded) == RIGHT


def test_a_hash_of_the_unnormalized_password_verifies_and_needs_a_rehash() -> None:
    site = Argon2PasswordHasher()
    site.memory_cost, site.time_cost, site.parallelism = 8, 1, 1
    encoded = site.encode(DECOMPOSED, site.salt())

    assert verify_password(DECOMPOSED, encoded) == OLD
    assert verify_password(COMPOSED, encoded) == WRONG


@pytest.mark.parametrize("password", ["", "x" * 65_536, "a" + "\u0301\u0323" * 10_000, "with\x00nul"])
def test_any_password_can_be_verified(password: str) -> None:
    assert verify_password(password, hash_password("secret")) == WRONG
    assert verify_password(password, hash_password(password)) == RIGHT


COSTS = st.tuples(st.integers(16, 64), st.integers(1, 3), st.integers(1, 2))
"""Memory in KiB, passes and lanes."""


@pytest.fixture(params=["PyNaCl", "argon2-cffi", "argon2-cffi in its own memory"])
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute the hashes that both libraries can compute in one of the three ways."""
    monkeypatch.setattr(argon2id, "_prefers_pynacl", request.param == "PyNaCl")
    monkeypatch.setattr(argon2id, "_own_memory", HashMemory() if "own memory" in request.param else None)


@pytest.mark.usefixtures("library")
@hypothesis.settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    password=st.text(max_size=40),
    costs=COSTS,
    salt=st.binary(min_size=8, max_size=24) | st.binary(min_size=16, max_size=16),
)
def test_a_hash_of_argon2_cffi_verifies_with_any_costs_and_salt(
    password: str, costs: tuple[int, int, int], salt: bytes
) -> None:
    memory, passes, lanes = costs
    encoded = "argon2" + argon2.PasswordHasher(passes, memory, lanes).hash(password, salt=salt)

    assert verify_password(password, encoded).ok
    assert not verify_password(password + "x", encoded).ok


@pytest.mark.usefixtures("library")
@hypothesis.settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(password=st.text(max_size=40), costs=COSTS)
def test_argon2_cffi_and_django_verify_a_new_hash(
    settings: Settings, password: str, costs: tuple[int, int, int]
) -> None:
    names = ("ARGON2_MEMORY_KIB", "ARGON2_TIME", "ARGON2_PARALLELISM")
    settings.AUTH_SERVICE = {**CHEAP, **dict(zip(names, costs, strict=True))}
    encoded = hash_password(password)
    normalized = normalize(password)

    assert argon2.PasswordHasher().verify(encoded.removeprefix("argon2"), normalized)
    assert Argon2PasswordHasher().verify(normalized, encoded)
    assert not Argon2PasswordHasher().verify(normalized + "x", encoded)
    assert verify_password(password, encoded) == RIGHT


def test_a_salt_has_the_length_of_pynacl_or_in_a_host_project_that_of_django() -> None:
    encoded = hash_password("secret")

    length = argon2.extract_parameters(encoded.removeprefix("argon2")).salt_len
    assert length == (16 if has_own_users() else 22)


def test_a_hash_with_a_salt_of_another_length_needs_a_rehash() -> None:
    others = argon2.PasswordHasher(1, 8, 1, salt_len=22 if has_own_users() else 16)

    assert verify_password("secret", "argon2" + others.hash("secret")) == OLD


UNREADABLE = [
    "",
    "!",
    "!" + "x" * 40,
    "plain text",
    "md5$salt$5ebe2294ecd0e0f08eab7690d2a6ee69",
    "argon2",
    "argon2$",
    "argon2$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ",
    "argon2$argon2id$v=19$m=1,t=1,p=1$c2FsdHNhbHQ$" + "A" * 43,
    "argon2$argon2x$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$" + "A" * 43,
    "argon2$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$" + "A" * 43 + "Ω",
    "argon2$argon2id$v=19$m=99999999999999999999,t=1,p=1$c2FsdHNhbHQ$" + "A" * 43,
    f"argon2$argon2id$v=19$m=7,t=1,p=1${'A' * 22}${'A' * 43}",
    f"argon2$argon2id$v=19$m=8,t=0,p=1${'A' * 22}${'A' * 43}",
    f"argon2$argon2id$v=19$m=08,t=1,p=1${'A' * 22}${'A' * 43}",
    f"argon2$argon2id$v=19$m=99999999999999999999,t=1,p=1${'A' * 22}${'A' * 43}",
    f"argon2$argon2id$v=19$m=8,t=99999999999999999999,p=1${'A' * 22}${'A' * 43}",
    f"argon2$argon2id$v=19$m=8,t=1,p=1${'A' * 21}B${'A' * 43}",
    f"argon2$argon2id$v=19$m=8,t=1,p=1${'A' * 22}${'A' * 42}B",
    "pbkdf2_sha256$10$salt",
    "pbkdf2_sha256$ten$salt$hash",
    "pbkdf2_sha256$10$$hash",
    "pbkdf2_sha256$99999999999999999999$salt$hash",
    "pbkdf2_sha256$-1$salt$hash",
    "scrypt$3$salt$8$1$hash",
    "bcrypt$$2b$12$short",
    "bcrypt_sha256$",
]


@pytest.mark.parametrize("encoded", UNREADABLE)
def test_an_unreadable_hash_matches_no_password_and_costs_one_real_hash(encoded: str, argon2_runs: list[str]) -> None:
    assert verify_password("secret", encoded) == WRONG

    assert argon2_runs == ["m=8,t=1,p=1"]


def test_a_hash_whose_library_is_missing_matches_no_password_and_logs_a_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "bcrypt", None)

    assert verify_password("secret", "bcrypt$$2b$04$" + "x" * 53) == WRONG

    (record,) = caplog.records
    assert (record.name, record.getMessage()) == ("authsvc.hashing", "a stored password hash cannot be verified")
    assert record.__dict__["algorithm"] == "bcrypt"


@hypothesis.settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_mutilated_hash_is_only_a_wrong_password(data: st.DataObject) -> None:
    encoded = data.draw(
        st.sampled_from(
            [
                "argon2$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdHNhbHQ$" + "B" * 43,
                "pbkdf2_sha256$10$salt$aGFzaA==",
                "scrypt$2$salt$1$1$aGFzaA==",
                "bcrypt_sha256$$2b$04$" + "x" * 53,
            ]
        )
    )
    start = data.draw(st.integers(0, len(encoded)))
    end = data.draw(st.integers(start, len(encoded)))
    inserted = data.draw(st.text(alphabet="$=,.!é\x00 mtpv", max_size=3))

    assert verify_password("secret", encoded[:start] + inserted + encoded[end:]) == WRONG


@pytest.mark.parametrize(("password", "hashes"), [("wrong", 1), (DECOMPOSED, 2), ("\u0301" * 10_000, 1)])
def test_an_unknown_account_costs_as_many_hashes_as_a_wrong_password(
    argon2_runs: list[str], password: str, hashes: int
) -> None:
    encoded = hash_password("secret")
    argon2_runs.clear()

    verify_password(password, encoded)
    runs_for_a_known_account = argon2_runs.copy()
    argon2_runs.clear()
    verify_nothing(password)

    assert runs_for_a_known_account == argon2_runs == ["m=8,t=1,p=1"] * hashes


def test_the_number_of_running_and_waiting_callers_is_limited_and_further_callers_are_refused() -> None:
    slots, at_once, threads, callers = Slots(), 3, 9, 20
    outcomes: SimpleQueue[str] = SimpleQueue()
    working = Level()
    start, finish = Barrier(callers), Event()

    def work() -> None:
        start.wait(PATIENCE)
        try:
            with slots.taken(at_once=at_once, threads=threads, seconds=PATIENCE), working:
                finish.wait(PATIENCE)
        except Overloaded:
            outcomes.put("turned away")
        else:
            outcomes.put("served")

    running = started(work for _ in range(callers))
    turned_away = [outcomes.get(timeout=PATIENCE) for _ in range(callers - threads)]
    assert set(turned_away) == {"turned away"}
    finish.set()
    joined(running)

    assert {outcomes.get(timeout=PATIENCE) for _ in range(threads)} == {"served"}
    assert outcomes.empty()
    assert working.highest == at_once


def test_waiting_callers_are_served_in_order_of_arrival() -> None:
    slots = Slots()
    served: list[int] = []

    def wait_as(number: int) -> Callable[[], None]:
        def work() -> None:
            with slots.taken(at_once=5, threads=15, seconds=PATIENCE):
                served.append(number)

        return work

    with ExitStack() as others:
        for _ in range(4):
            others.enter_context(slots.taken(at_once=5, threads=15, seconds=0))
        with slots.taken(at_once=5, threads=15, seconds=0):
            threads = []
            for number in range(10):
                threads += started([wait_as(number)])
                wait_until_waiting(slots, number + 1)
        joined(threads)

    assert served == list(range(10))


def test_a_slot_is_released_when_the_work_fails() -> None:
    slots = Slots()

    for _ in range(3):
        with pytest.raises(ZeroDivisionError), slots.taken(at_once=1, threads=1, seconds=0):
            raise ZeroDivisionError

    with slots.taken(at_once=1, threads=1, seconds=0):
        pass


def test_a_caller_whose_wait_is_too_long_is_refused_and_leaves_the_queue() -> None:
    slots = Slots()

    with slots.taken(at_once=1, threads=2, seconds=0):
        for _ in range(3):
            with pytest.raises(Overloaded), slots.taken(at_once=1, threads=2, seconds=0.01):
                pass

    with slots.taken(at_once=1, threads=1, seconds=0):
        pass


def test_a_thread_beside_the_slots_counts_as_one_of_the_threads() -> None:
    slots = Slots()

    with slots.counted(), pytest.raises(Overloaded), slots.taken(at_once=1, threads=1, seconds=0):
        pass
    slots.check_room(threads=1)


@pytest.mark.parametrize(
    "operation",
    [lambda: hash_password("secret"), lambda: verify_password("secret", "!"), lambda: verify_nothing("secret")],
    ids=["hash", "verify", "nothing"],
)
def test_every_hash_needs_a_slot_and_the_setting_limits_the_slots(
    settings: Settings, operation: Callable[[], object]
) -> None:
    settings.AUTH_SERVICE = {**CHEAP, "PASSWORD_HASH_CONCURRENCY": "1", "PASSWORD_HASH_WAIT_SECONDS": PATIENCE}
    outcomes: SimpleQueue[object] = SimpleQueue()

    def work() -> None:
        try:
            outcomes.put(operation() or "done")
        except Overloaded as error:
            outcomes.put(error)

    with hashing._slots.taken(at_once=1, threads=3, seconds=0):
        threads = started([work] * 3)
        error = outcomes.get(timeout=PATIENCE)
        assert isinstance(error, Overloaded)
        assert error.headers() == {"Retry-After": "1"}
        assert outcomes.empty()
    joined(threads)

    assert not any(isinstance(outcomes.get(timeout=PATIENCE), Overloaded) for _ in range(2))


def test_a_call_waits_for_its_hash_as_long_as_the_setting_says(settings: Settings) -> None:
    settings.AUTH_SERVICE = {**CHEAP, "PASSWORD_HASH_CONCURRENCY": "1", "PASSWORD_HASH_WAIT_SECONDS": "1"}

    with hashing._slots.taken(at_once=1, threads=3, seconds=0):
        before = monotonic()
        with pytest.raises(Overloaded):
            verify_nothing("secret")
        assert monotonic() - before >= 1


def test_callers_are_admitted_until_all_slots_and_waiting_turns_are_taken(settings: Settings) -> None:
    settings.AUTH_SERVICE = {**CHEAP, "PASSWORD_HASH_CONCURRENCY": "1", "PASSWORD_HASH_WAIT_SECONDS": PATIENCE}

    with hashing._slots.taken(at_once=1, threads=3, seconds=0):
        threads = []
        for number in range(2):
            check_room()
            threads += started([lambda: verify_nothing("secret")])
            wait_until_waiting(hashing._slots, number + 1)
        with pytest.raises(Overloaded):
            check_room()
    joined(threads)

    check_room()


@pytest.mark.parametrize(
    ("configured", "known_threads", "slots", "threads"), [("", None, 8, 24), ("", 16, 8, 16), ("5", None, 5, 15)]
)
def test_the_processors_determine_the_number_of_hashes_unless_a_setting_does(
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    configured: str,
    known_threads: int | None,
    slots: int,
    threads: int,
) -> None:
    settings.AUTH_SERVICE = {**CHEAP, "PASSWORD_HASH_CONCURRENCY": configured}
    monkeypatch.setattr(hashing, "_PROCESSORS", 8)
    monkeypatch.setattr(hashing, "_threads", known_threads)

    assert (hashing._at_once(), hashing._most_threads()) == (slots, threads)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_has_all_its_slots() -> None:
    with hashing._slots.taken(at_once=2, threads=4, seconds=0), hashing._slots.taken(at_once=2, threads=4, seconds=0):
        child = os.fork()
        if child == 0:
            os._exit(0 if verify_password("secret", hash_password("secret")) == RIGHT else 1)
        _, status = os.waitpid(child, 0)

    assert os.waitstatus_to_exitcode(status) == 0


class Level:
    """Count the callers that are inside, and record the highest count."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self.highest = 0

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            self.highest = max(self.highest, self._inside)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1


def started(works: Iterable[Callable[[], object]]) -> list[Thread]:
    threads = [Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    return threads


def joined(threads: list[Thread]) -> None:
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()


def wait_until_waiting(slots: Slots, count: int) -> None:
    deadline = monotonic() + PATIENCE
    while len(slots._waiting) < count:
        assert monotonic() < deadline
        Event().wait(0.001)


def seconds_of(work: Callable[[], object]) -> float:
    before = thread_time()
    work()
    return thread_time() - before


@each(
    "encoded, kind",
    [
        ("pbkdf2_sha256$870000$salt$aGFzaA==", "pbkdf2_sha256$870000$salt$digest"),
        ("pbkdf2_sha1$10$salt$aGFzaA==", "pbkdf2_sha1$10$salt$digest"),
        ("scrypt$16384$salt$8$5$aGFzaA==", "scrypt$16384$salt$8$5$digest"),
        ("bcrypt_sha256$$2b$12$" + "x" * 53, "bcrypt_sha256$$2b$12$" + "." * 53),
        ("bcrypt$$2b$12$" + "x" * 53, "bcrypt$$2b$12$" + "." * 53),
        (
            "argon2$argon2id$v=19$m=102400,t=2,p=8$c2FsdA$aGFzaA",
            "argon2$argon2id$v=19$m=102400,t=2,p=8$AAAAAA$AAAAAA",
        ),
        ("argon2$argon2id$v=19$m=8,t=1,p=1$é$aGFzaA", None),
        ("!unusable", None),
        ("md5$salt$5ebe2294ecd0e0f08eab7690d2a6ee69", None),
        ("pbkdf2_sha256$" + "9" * 120 + "$salt$hash", None),
    ],
)
def test_the_kind_of_a_hash_is_its_algorithm_with_its_costs(encoded: str, kind: str | None) -> None:
    assert kind_of(encoded) == kind


def test_a_kind_can_be_verified_like_a_hash_of_the_same_costs(argon2_runs: list[str]) -> None:
    kind = kind_of(hash_password("secret")) or ""
    argon2_runs.clear()

    assert verify_password("secret", kind) == WRONG
    assert argon2_runs == ["m=8,t=1,p=1"]
    assert measure("pbkdf2_sha256$100000$salt$digest") > measure("pbkdf2_sha256$1$salt$digest") > 0


@pytest.mark.usefixtures("library")
def test_the_costliest_kind_of_each_library_counts() -> None:
    cheap, costly = (f"argon2$argon2id$v=19$m={memory},t=2,p=1" for memory in (8, 16))
    by_pynacl = f"{costly}${'A' * 22}${'A' * 43}"
    by_argon2_cffi = f"{cheap}${'A' * 30}${'A' * 43}"

    counting = {by_pynacl, by_argon2_cffi} if argon2id._prefers_pynacl else {by_pynacl}

    assert set(refusals._costliest({by_pynacl, by_argon2_cffi})) == counting


def test_the_costliest_kind_of_each_algorithm_counts() -> None:
    kinds = {
        *(f"pbkdf2_sha256${iterations}$salt$digest" for iterations in (870_000, 36_000, 1_000_000)),
        *(f"bcrypt$$2b${rounds}${'.' * 53}" for rounds in ("12", "04")),
        "scrypt$16384$salt$8$5$digest",
        "scrypt$16384$salt$8$1$digest",
    }

    assert set(refusals._costliest(kinds)) == {
        "pbkdf2_sha256$1000000$salt$digest",
        "bcrypt$$2b$12$" + "." * 53,
        "scrypt$16384$salt$8$5$digest",
    }
