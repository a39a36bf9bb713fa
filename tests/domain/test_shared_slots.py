"""Slots that several processes share."""

import os
import select
import signal
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import pytest

from core import threads
from core.errors import Overloaded
from core.threads import SharedSlots

PATIENCE = 20
"""Seconds that a test waits for a slot before it fails."""

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


class Holder:
    """A child process that takes one of the slots and keeps it until it is killed."""

    def __init__(self, slots: SharedSlots, *, at_once: int) -> None:
        self._holds, holds = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            # The child must not return into the test.
            try:
                slots.clear()
                with slots.taken(at_once=at_once, seconds=PATIENCE):
                    os.write(holds, b"\0")
                    signal.pause()
            finally:
                os._exit(1)
        os.close(holds)

    def holds(self, *, within: float) -> bool:
        """Return whether the child takes a slot within that many seconds."""
        readable, _, _ = select.select([self._holds], [], [], within)
        return bool(readable) and os.read(self._holds, 1) == b"\0"

    def kill(self) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._holds)


@pytest.fixture
def slots() -> SharedSlots:
    return SharedSlots()


def test_threads_of_one_process_share_the_slots(slots: SharedSlots) -> None:
    lock = Lock()
    inside: list[int] = []
    highest = 0

    def work(number: int) -> None:
        nonlocal highest
        with slots.taken(at_once=2, seconds=PATIENCE):
            with lock:
                inside.append(number)
                highest = max(highest, len(inside))
            with lock:
                inside.remove(number)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(200)))

    assert highest <= 2


def test_a_wait_ends_with_its_time(slots: SharedSlots) -> None:
    with slots.taken(at_once=1, seconds=0), pytest.raises(Overloaded), slots.taken(at_once=1, seconds=0.01):
        pass

    with slots.taken(at_once=1, seconds=0):
        pass


def test_a_process_gets_the_slot_that_another_process_releases(
    slots: SharedSlots, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only the announcement of the release ends the wait of the child in time.
    monkeypatch.setattr(threads, "RECHECK_SECONDS", 10 * PATIENCE)

    with slots.taken(at_once=1, seconds=0):
        child = Holder(slots, at_once=1)
        assert not child.holds(within=0.2)

    assert child.holds(within=PATIENCE)
    child.kill()


def test_two_processes_get_the_two_slots_that_are_released_together(
    slots: SharedSlots, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "RECHECK_SECONDS", 10 * PATIENCE)

    with slots.taken(at_once=2, seconds=0), slots.taken(at_once=2, seconds=0):
        children = [Holder(slots, at_once=2) for _ in range(2)]
        assert not any(child.holds(within=0.1) for child in children)

    assert all(child.holds(within=PATIENCE) for child in children)
    for child in children:
        child.kill()


def test_a_killed_process_leaves_no_slot_taken(slots: SharedSlots) -> None:
    children = [Holder(slots, at_once=2) for _ in range(2)]
    assert all(child.holds(within=PATIENCE) for child in children)
    with pytest.raises(Overloaded), slots.taken(at_once=2, seconds=0):
        pass

    for child in children:
        child.kill()

    with slots.taken(at_once=2, seconds=PATIENCE), slots.taken(at_once=2, seconds=PATIENCE):
        pass
