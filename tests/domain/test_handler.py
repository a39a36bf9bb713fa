"""The handler of the standalone project. The tests of the routes use the handler of Django's test client."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple

import orjson
import pytest
from django.core.signals import request_finished
from django.db import connection
from django.test import RequestFactory

from config.handler import Handler, close_failed_connection
from tests.people import Person
from tests.rows import each

pytestmark = pytest.mark.once

SAVED = frozenset({"BaseHandler.get_response", "HttpRequest.get_host", "IPv4Address.__str__", "URLResolver.resolve"})
"""Functions of Django and of Python that a repeated request does not need. They took a quarter of a verification."""


class Answer(NamedTuple):
    """The answer to a request, and the names of the Python functions that ran for it."""

    status: str
    body: Any
    functions: frozenset[str]


@pytest.fixture
def call() -> Callable[..., Answer]:
    """Return a function that sends a GET request to one handler."""
    handler = Handler()

    def run(path: str, **headers: str) -> Answer:
        environ = RequestFactory(REMOTE_ADDR="203.0.113.9").get(path, headers={"Host": "localhost", **headers}).environ
        ran: set[str] = set()
        statuses: list[str] = []

        def note(frame: FrameType, event: str, _: object) -> None:
            if event == "call":
                ran.add(frame.f_code.co_qualname)

        sys.setprofile(note)
        try:
            body = handler(environ, lambda status, _headers: statuses.append(status))
        finally:
            sys.setprofile(None)
        assert isinstance(body, list)
        return Answer(statuses[0], orjson.loads(b"".join(body)), frozenset(ran))

    return run


@pytest.mark.django_db
def test_the_second_request_of_a_path_runs_none_of_the_saved_functions(
    call: Callable[..., Answer], alice: Person
) -> None:
    authorization = f"Bearer {alice.log_in().access}"

    first, second = (call("/v1/verify", Authorization=authorization) for _ in range(2))

    assert first.status == second.status == "200 OK"
    assert first.body == second.body == {"data": {"user_id": alice.user_id}}
    assert "HttpRequest.get_host" in first.functions
    assert "URLResolver.resolve" in first.functions
    assert not SAVED & second.functions


@each("path", ["/v1/sessions/1", "/v1/nonsense"])
def test_a_path_with_arguments_and_an_unknown_path_are_resolved_each_time(
    call: Callable[..., Answer], path: str
) -> None:
    answers = [call(path) for _ in range(2)]

    assert all("URLResolver.resolve" in answer.functions for answer in answers)


def test_a_whole_answer_is_a_list_and_its_request_has_finished(call: Callable[..., Answer]) -> None:
    finished: list[object] = []

    def note(**signal: object) -> None:
        finished.append(signal["sender"])

    request_finished.connect(note)
    try:
        call("/v1/health")
    finally:
        request_finished.disconnect(note)

    assert finished == [Handler]


@pytest.mark.django_db(transaction=True)
def test_the_end_of_a_request_closes_a_connection_that_no_longer_works() -> None:
    connection.ensure_connection()
    close_failed_connection()
    assert connection.connection is not None

    connection.connection.close()
    connection.errors_occurred = True
    close_failed_connection()

    assert connection.connection is None


@pytest.mark.django_db(transaction=True)
def test_the_end_of_a_request_closes_a_connection_with_an_open_transaction() -> None:
    connection.set_autocommit(False)

    close_failed_connection()

    assert connection.connection is None
