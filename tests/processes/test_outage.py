"""PostgreSQL goes away under a running server, and comes back."""

import json
import re
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Self

import pytest
from django.db import connection
from django.utils.datastructures import CaseInsensitiveMapping

from config.local_postgres import LocalPostgres
from tests.client import PASSWORD, Answer

from .conftest import Run
from .running import until

if TYPE_CHECKING:
    from config.local_postgres import StopMode

EMAIL = "alice@example.com"
RIGHT = {"email": EMAIL, "password": PASSWORD}
# A site's own log has no JSON.
WORD_OF_WORKER = re.compile(r'database unreachable("|$)', re.MULTILINE)
WRONG = {"email": EMAIL, "password": "not the password"}


class Line:
    """One connection, kept: it breaks when the process at its other end is replaced."""

    def __init__(self, port: int) -> None:
        self._session = HTTPConnection("localhost", port, timeout=5)

    def __enter__(self) -> Self:
        self._session.connect()
        self._session.auto_open = 0
        return self

    def __exit__(self, *_: object) -> None:
        self._session.close()

    def get(self, path: str, *, token: str | None = None) -> Answer:
        """GET the path."""
        return self._call("GET", path, None, token=token)

    def post(self, path: str, body: dict[str, str]) -> Answer:
        """POST the body."""
        return self._call("POST", path, json.dumps(body), token=None)

    def _call(self, method: str, path: str, body: str | None, *, token: str | None) -> Answer:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._session.request(method, path, body, headers)
        response = self._session.getresponse()
        told = CaseInsensitiveMapping(response.headers.items())
        return Answer(status=response.status, body=json.loads(response.read()), headers=told)


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[LocalPostgres]:
    """A server of the test's own."""
    with LocalPostgres(venv=Path(sys.prefix), data=tmp_path / "data", fsync=False) as server:
        yield server


@pytest.fixture
def database_url(postgres: LocalPostgres) -> str:
    """Its empty database."""
    return postgres.url()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="about a database server that goes away")
@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_an_outage_is_told_and_harms_nobody_and_heals_by_itself(
    serve: Run, postgres: LocalPostgres, mode: "StopMode"
) -> None:
    server = serve(RATE_LIMITS="on")
    with Line(server.await_ready()) as line:
        assert line.post("/v1/signup", RIGHT).status == 201
        tokens = line.post("/v1/login", RIGHT).data
        refresh = {"refresh_token": tokens["refresh_token"]}
        assert [line.post("/v1/login", WRONG).code for _ in range(4)] == ["invalid_credentials"] * 4

        postgres.stop(mode=mode)

        asked_at = time.monotonic()
        refusals = [line.get("/v1/health")]
        assert time.monotonic() - asked_at < 3
        refusals += [line.post("/v1/login", WRONG) for _ in range(2)]
        refusals += [line.post("/v1/login", RIGHT), line.post("/v1/refresh", refresh)]
        refusals += [line.get("/v1/sessions", token=tokens["access_token"])]
        for answer in refusals:
            assert (answer.status, answer.code, answer.headers["Retry-After"]) == (503, "db_unreachable", "5")
        assert line.get("/v1/verify", token=tokens["access_token"]).status == 200
        assert line.get("/v1/verify").code == "missing_auth_header"
        assert line.get("/v1/sessions", token="forged").code == "invalid_access_token"
        assert line.get("/v1/unknown").code == "not_found"
        until(lambda: WORD_OF_WORKER.search(server.err.read_text()), what="word of the background worker")

        postgres.start()
        back_at = time.monotonic()

        until(lambda: line.get("/v1/health").status == 200, what="health")
        until(lambda: line.post("/v1/refresh", refresh).status == 200, what="a refresh")
        assert line.post("/v1/login", RIGHT).status == 200
        assert time.monotonic() - back_at < 10
        assert "a process ended" not in server.err.read_text()
