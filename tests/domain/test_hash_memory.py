"""The memory that Argon2 hashes keep, and the choice between the ways to compute a hash."""

import mmap
import re
import threading
from pathlib import Path

import pytest
from argon2.exceptions import HashingError
from argon2.low_level import Type, hash_secret_raw

from accounts.passwords import argon2id
from accounts.passwords.hash_memory import HUGE_PAGE, HashMemory
from tests.rows import each

pytestmark = pytest.mark.once

SALT = b"0123456789abcdef"


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore the choice of the process after the test."""
    for name in ("_own_memory", "_prefers_pynacl"):
        monkeypatch.setattr(argon2id, name, getattr(argon2id, name))


def digest(memory: HashMemory, *, size: int = 1_024, passes: int = 1) -> bytes:
    return memory.compute(b"secret", salt=SALT, memory=size, passes=passes, length=32)


def mapped() -> int:
    """Return the bytes of this process that the kernel may keep in huge pages on request."""
    areas = re.findall(
        r"^Size: +(\d+) kB$(?:\n(?!Size:).*)*?\nVmFlags:.* hg\b", Path("/proc/self/smaps").read_text(), re.MULTILINE
    )
    return 1024 * sum(map(int, areas))


@each(
    "memory, digest",
    [
        # The vectors of libargon2's own tests, in its file test.c.
        (65_536, "09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7"),
        (256, "9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe"),
    ],
)
def test_the_digests_are_those_of_libargon2(memory: int, digest: str) -> None:
    found = HashMemory().compute(b"password", salt=b"somesalt", memory=memory, passes=2, length=32)

    assert found.hex() == digest


def test_a_place_serves_one_hash_after_the_other_and_is_empty_between_them() -> None:
    memory = HashMemory()
    digest(memory)
    (place,) = memory._free

    assert digest(memory) == digest(memory) == hash_secret_raw(b"secret", SALT, 1, 1_024, 1, 32, Type.ID)

    assert list(memory._free) == [place]
    assert place.size == HUGE_PAGE
    assert not any(place.mapping[:])


def test_a_hash_with_higher_costs_gets_a_larger_place() -> None:
    memory = HashMemory()
    digest(memory)

    digest(memory, size=4_096)

    assert [place.size for place in memory._free] == [2 * HUGE_PAGE]


def test_hashes_at_a_time_have_a_place_each() -> None:
    memory = HashMemory()
    start = threading.Barrier(3)
    found: list[bytes] = []

    def run() -> None:
        start.wait()
        found.extend(digest(memory) for _ in range(50))

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(found) == 150
    assert set(found) == {digest(memory)}
    assert len(memory._free) <= 3


def test_an_idle_process_gives_its_places_back() -> None:
    before = mapped()
    memory = HashMemory()
    digest(memory)
    assert mapped() == before + 2 * HUGE_PAGE

    memory.give_back_unused()
    assert len(memory._free) == 1

    memory.give_back_unused()
    assert not memory._free
    assert mapped() == before


def test_costs_that_libargon2_refuses_are_an_error() -> None:
    memory = HashMemory()

    with pytest.raises(HashingError):
        digest(memory, size=7)
    with pytest.raises(HashingError):
        digest(memory, passes=0)


@pytest.mark.usefixtures("chosen")
def test_a_system_without_memory_for_the_mapping_computes_the_same_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    argon2id._own_memory, argon2id._prefers_pynacl = HashMemory(), False

    def refuse(*_: object, **__: object) -> mmap.mmap:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(mmap, "mmap", refuse)
    encoded = argon2id.encode("secret", costs=argon2id.Costs(memory=8, passes=1, lanes=1))

    assert argon2id.verify("secret", encoded)
    assert not argon2id.verify("Secret", encoded)
    assert not argon2id._own_memory._free


@pytest.mark.usefixtures("chosen")
def test_the_choice_has_no_memory_yet_and_falls_on_one_of_both_ways() -> None:
    argon2id.choose_fastest(costs=argon2id.Costs(memory=8, passes=1, lanes=1))

    assert (argon2id._own_memory is None) == argon2id._prefers_pynacl
    assert argon2id._own_memory is None or not argon2id._own_memory._free


@pytest.mark.usefixtures("chosen")
def test_hashes_with_several_lanes_leave_no_choice() -> None:
    before = argon2id._own_memory, argon2id._prefers_pynacl

    argon2id.choose_fastest(costs=argon2id.Costs(memory=16, passes=1, lanes=2))

    assert (argon2id._own_memory, argon2id._prefers_pynacl) == before
