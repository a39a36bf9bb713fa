import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import orjson
import pytest
from django.db import InterfaceError, OperationalError, connection

from core.errors import Overloaded
from events.conf import shipping_settings
from events.logs import shipping
from events.logs.shipping import ShippingHandler, attach
from tests.processes.running import until
from tests.races.crowd import Crowd

from .collecting import UseShipping, copying, fields_of, log, stored

pytestmark = pytest.mark.django_db


@contextmanager
def failing_store(monkeypatch: pytest.MonkeyPatch, error: Exception) -> Iterator[None]:
    """Make the database unavailable."""

    def fail(_lines: Any) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(shipping, "_store", fail)
        yield


@pytest.mark.usefixtures("handlers_without_thread")
@pytest.mark.parametrize("error", [OperationalError("gone"), InterfaceError("closed"), Overloaded()])
def test_lines_wait_for_an_unavailable_database_and_keep_their_order(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(shipping, "FLUSH_BATCH", 2)
    with copying() as handler:
        for number in range(5):
            log(status=number)
        with failing_store(monkeypatch, error), pytest.raises(type(error)):
            handler.flush()
        assert stored() == []
        log(status=5)
        handler.flush()
        handler.flush()

    assert [fields_of(row)["status"] for row in stored()] == [0, 1, 2, 3, 4, 5]


@pytest.mark.usefixtures("handlers_without_thread")
def test_while_the_database_is_unavailable_only_the_newest_lines_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shipping, "BUFFER_MAX", 6)
    monkeypatch.setattr(shipping, "FLUSH_BATCH", 4)

    def fail_while_lines_come(_lines: Any) -> None:
        for number in (6, 7, 8):
            log(status=number)
        raise OperationalError("gone")

    with copying() as handler:
        for number in range(6):
            log(status=number)
        with monkeypatch.context() as patch:
            patch.setattr(shipping, "_store", fail_while_lines_come)
            with pytest.raises(OperationalError):
                handler.flush()
        log(status=9)
        handler.flush()

    assert [fields_of(row)["status"] for row in stored()] == [4, 5, 6, 7, 8, 9]


def test_ten_thousand_lines_may_wait() -> None:
    assert shipping.BUFFER_MAX == 10_000
    assert ShippingHandler(shipping_settings())._lines.maxlen == 10_000


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("error", [OperationalError("gone"), InterfaceError("closed"), Overloaded()])
def test_a_thread_stores_lines_and_continues_after_a_failure(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    monkeypatch.setattr(shipping, "FLUSH_SECONDS", 0.02)
    rounds = [error, error]
    real = shipping._store

    def store(lines: Any) -> None:
        if rounds:
            raise rounds.pop()
        real(lines)
        connection.close()

    monkeypatch.setattr(shipping, "_store", store)
    with copying():
        log(status=1)
        until(lambda: len(stored()) == 1, what="the line")
        log(status=2)
        until(lambda: len(stored()) == 2, what="another line")

    waited = [line for line in caplog.records if line.message == "the copy of the log cannot be stored right now"]
    assert [vars(line)["reason"] for line in waited] == [type(error).__name__] * 2


def test_a_fork_stores_only_its_own_lines(
    handlers_without_thread: list[ShippingHandler], monkeypatch: pytest.MonkeyPatch
) -> None:
    with copying() as handler:
        log(status=1)
        monkeypatch.setattr(os, "getpid", lambda: -1)
        log(status=2)
        log(status=3)
        until(lambda: len(handlers_without_thread) == 2, what="a thread in the child")

        assert [orjson.loads(line.fields)["status"] for line in handler._lines] == [2, 3]


@pytest.mark.usefixtures("handlers_without_thread")
def test_concurrent_stores_store_each_line_once(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    monkeypatch.setattr(shipping, "_store", lambda lines: taken.extend(fields_of(line)["status"] for line in lines))
    monkeypatch.setattr(shipping, "FLUSH_BATCH", 3)
    with copying() as handler, Crowd(4) as crowd:
        for number in range(1000):
            log(status=number)
        crowd.at_once(*[handler.flush] * 4)

    assert taken == list(range(1000))


@pytest.mark.usefixtures("handlers_without_thread")
def test_a_fork_waits_for_a_running_store(use_shipping: UseShipping, monkeypatch: pytest.MonkeyPatch) -> None:
    hooks: dict[str, Callable[[], Any]] = {}
    monkeypatch.setattr(logging.getLogger("authsvc"), "handlers", [])
    monkeypatch.setattr(os, "register_at_fork", hooks.update)
    attach()
    (handler,) = logging.getLogger("authsvc").handlers
    storing, may_end = threading.Event(), threading.Event()

    def store(_lines: Any) -> None:
        storing.set()
        may_end.wait(10)

    monkeypatch.setattr(shipping, "_store", store)
    log(status=1, level=logging.WARNING)
    thread = threading.Thread(target=handler.flush)
    thread.start()
    storing.wait(10)
    assert not hooks["before"](blocking=False)  # type: ignore[call-arg]  # a lock has the same parameter
    may_end.set()
    thread.join()

    for begin, end in ((hooks["before"], hooks["after_in_parent"]), (hooks["before"], hooks["after_in_child"])):
        begin()
        end()
    handler.flush()


def test_the_copying_handler_is_attached_once_and_only_when_it_is_configured(
    use_shipping: UseShipping, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = logging.getLogger("authsvc")
    monkeypatch.setattr(service, "handlers", [])
    monkeypatch.setattr(os, "register_at_fork", lambda **_: None)

    use_shipping("off")
    attach()
    assert service.handlers == []

    use_shipping("record")
    attach()
    attach()
    (handler,) = service.handlers
    assert isinstance(handler, ShippingHandler)
    assert handler.level == logging.INFO
