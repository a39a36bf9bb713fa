"""The order in which threads get slots to read bodies. `tests/processes/test_slow_bodies.py` tests a served process."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from threading import Event

import pytest

from core import body_slots
from core.body_slots import BodySlots, Sender
from core.errors import Overloaded
from tests.patience import patient

pytestmark = pytest.mark.once


class Readers:
    """Threads that read bodies until they are told to end."""

    def __init__(self, slots: BodySlots) -> None:
        self.slots = slots
        self._threads = ThreadPoolExecutor(16)
        self._ends: list[Event] = []
        self.order: list[str] = []

    def read(self, network: str) -> tuple[Event, Future[None]]:
        """Start a body of the network. Return the event that ends it, and the result."""
        end = Event()
        self._ends.append(end)
        return end, self._threads.submit(self._read, network, end)

    def close(self) -> None:
        for end in self._ends:
            end.set()
        self._threads.shutdown()

    def _read(self, network: str, end: Event) -> None:
        with self.slots.taken(sender(network)):
            self.order.append(network)
            assert end.wait(patient(30))


@pytest.fixture
def readers() -> Iterator[Readers]:
    """Readers of four slots, of which a network gets two."""
    slots = BodySlots()
    slots.limit(slots=4, share=2, seconds=60)
    made = Readers(slots)
    yield made
    made.close()


def sender(network: str) -> Sender:
    return Sender(network=network, peer=network, port="8000")


def wait_until(readers: Readers, *, taken: int, waiting: int) -> None:
    """Wait until this many threads have slots and wait for them."""
    moment = Event()
    for _ in range(int(patient(30) * 100)):
        if (len(readers.slots._taken), len(readers.slots._waiting)) == (taken, waiting):
            return
        moment.wait(0.01)
    raise AssertionError(readers.order)


def test_a_network_gets_its_share_and_the_slots_of_other_networks_stay_free(readers: Readers) -> None:
    for _ in range(5):
        readers.read("a")
    wait_until(readers, taken=2, waiting=3)

    readers.read("b")

    wait_until(readers, taken=3, waiting=3)
    assert readers.order == ["a", "a", "b"]


def test_a_free_slot_goes_to_the_network_with_the_fewest(readers: Readers) -> None:
    ends = [readers.read(network)[0] for network in ("a", "a", "b", "b")]
    wait_until(readers, taken=4, waiting=0)
    for number, network in enumerate(("b", "c"), start=1):
        readers.read(network)
        wait_until(readers, taken=4, waiting=number)

    ends[0].set()

    wait_until(readers, taken=4, waiting=1)
    assert readers.order[-1] == "c"
    ends[2].set()
    wait_until(readers, taken=4, waiting=0)
    assert readers.order[-1] == "b"


def test_many_waiting_threads_of_a_network_give_up_soon(readers: Readers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_slots, "PATIENT_SECONDS", 3600.0)
    results = []
    for number in range(8):
        results.append(readers.read("a")[1])
        wait_until(readers, taken=min(2, number + 1), waiting=max(0, number - 1))
        if number == 5:
            break

    impatient = readers.read("a")[1]

    assert isinstance(impatient.exception(patient(30)), Overloaded)
    assert not any(result.done() for result in results)


def test_the_networks_with_the_most_slots_lose_them_first(readers: Readers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_slots, "CROWDED_SECONDS", -1.0)
    for number, network in enumerate(("a", "b", "c"), start=1):
        readers.read(network)
        wait_until(readers, taken=number, waiting=0)
    assert readers.slots.find_overdue() == []

    readers.read("a")
    wait_until(readers, taken=4, waiting=0)
    assert readers.slots.find_overdue() == [(sender("a"), -1.0)] * 2


def test_while_all_slots_are_taken_by_one_network_each_all_are_crowded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_slots, "CROWDED_SECONDS", -1.0)
    slots = BodySlots()
    slots.limit(slots=2, share=2, seconds=60)
    readers = Readers(slots)
    with ExitStack() as stack:
        stack.callback(readers.close)
        for network in ("a", "b"):
            readers.read(network)
        wait_until(readers, taken=2, waiting=0)

        assert {one.network for one, _ in slots.find_overdue()} == {"a", "b"}


def test_without_a_limit_nobody_waits() -> None:
    with BodySlots().taken(sender("a")):
        pass
