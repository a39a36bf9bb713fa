"""The lists of revocations in both clients. The examples of docs/sign-out.md run unchanged but for the URL and the key."""

import json
import logging
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jwt
import pytest

from gatehouse_client import GatehouseError, RevocationList
from tests.browser.service import Service
from tests.client import PASSWORD
from tests.loopback import response, serving
from tests.processes.running import ROOT, call, until
from tests.processes.variables import standalone

from .building import built_client, run

pytestmark = [pytest.mark.once, pytest.mark.timeout(240)]

PAGE = ROOT / "docs" / "sign-out.md"
FIRST = "2026-11-22T16:31:08.204410Z"
LATER = "2999-01-01T00:00:00.000000Z"
NODE_MAIN = """
import { isRevoked } from "./example.mjs";
const claims = { jti: process.argv[2] };
console.log(isRevoked(claims));
while (!isRevoked(claims)) await new Promise((resolve) => setTimeout(resolve, 20));
console.log(true);
"""


@pytest.fixture
def ended(service: Service, tmp_path: Path) -> SimpleNamespace:
    """A session that the test can end, and the API key of a service."""
    alice = service.sign_up()
    person = {"email": alice.email, "password": PASSWORD}
    own, other = (call(service.port, "POST", "/v1/login", person).data["access_token"] for _ in range(2))
    command = [sys.executable, "manage.py", "service_keys", "create", "prices", "--scope", "revocations:read"]
    variables = {**os.environ, **standalone(database_url=service.database_url, directory=tmp_path)}
    key = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True).stdout.split()[0]
    jti = jwt.decode(other, options={"verify_signature": False})["jti"]

    def end() -> None:
        assert call(service.port, "DELETE", f"/v1/sessions/{jti}", token=own).status == 200

    return SimpleNamespace(jti=jti, key=key, end=end, url=f"http://localhost:{service.port}")


def section() -> str:
    return PAGE.read_text().partition("\n## The list in a service\n")[2].partition("\n## ")[0]


def example(fence: str, ended: SimpleNamespace, *, pause: str) -> str:
    """Return the only block of the section with that fence, for the service and the key of the test."""
    (code,) = re.findall(rf"```{fence}\n(.*?)```", section(), re.DOTALL)
    changed = re.sub(r"ak_\w+", ended.key, code.replace("https://auth.example.com", ended.url))
    return re.sub(rf'("{ended.key}",?)', rf"\1 {pause}", changed, count=1)


def page_of(*ids: str, has_more: bool = False, next_since: str = FIRST) -> bytes:
    revocations = [{"session_ids": list(ids), "expires_at": LATER}]
    data = {"revocations": revocations, "next_since": next_since, "has_more": has_more}
    return response(json.dumps({"data": data}).encode(), headers="Content-Type: application/json\r\n")


def test_the_python_example_refuses_a_token_soon_after_its_session_has_ended(ended: SimpleNamespace) -> None:
    names: dict[str, Any] = {}
    exec(example("python", ended, pause=", seconds=0.05"), names)  # noqa: S102 - our own page
    claims = {"jti": ended.jti}

    try:
        assert not names["is_revoked"](claims)
        ended.end()
        until(lambda: names["is_revoked"](claims), what="the end of the session")
    finally:
        names["revocations"].close()


def test_the_node_example_refuses_a_token_soon_after_its_session_has_ended(ended: SimpleNamespace) -> None:
    directory = built_client()
    (directory / "example.mjs").write_text(example("js", ended, pause="seconds: 0.05,"))
    (directory / "main.mjs").write_text(NODE_MAIN)

    with subprocess.Popen(["node", "main.mjs", ended.jti], cwd=directory, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        try:
            assert running.stdout.readline() == "false\n"
            ended.end()
            assert running.stdout.readline() == "true\n"
        finally:
            running.kill()


def test_the_answer_on_the_page_has_the_members_of_a_real_answer(service: Service, ended: SimpleNamespace) -> None:
    ended.end()

    (line,) = re.findall(r"^\{.*\}$", section(), re.MULTILINE)
    shown, answer = json.loads(line)["data"], call(service.port, "GET", "/v1/revocations", token=ended.key).data

    assert shown.keys() == answer.keys()
    assert shown["revocations"][0].keys() == answer["revocations"][0].keys()


def test_the_python_list_continues_where_the_answer_before_ended() -> None:
    answers = iter([page_of("a", has_more=True), page_of("b", next_since=LATER), page_of("c")])

    with serving(lambda _, send: send(next(answers))) as peer:
        with RevocationList(peer.url(""), api_key="ak_x", seconds=0.01) as revocations:
            until(lambda: "c" in revocations, what="the third page")

        assert [one in revocations for one in "abcd"] == [True, True, True, False]
        since = [re.search(r"since=(\S+)", one.line) for one in peer.received[:3]]
        assert [match and match[1] for match in since] == [None, FIRST.replace(":", "%3A"), LATER.replace(":", "%3A")]
        assert {one.headers["Authorization"] for one in peer.received} == {"Bearer ak_x"}


def test_the_python_list_begins_again_after_a_failed_page() -> None:
    second = page_of("b", has_more=True, next_since=LATER)
    malformed = response(b'{"data": {}}', headers="Content-Type: application/json\r\n")
    answers = iter([page_of("a"), second, b"", second, malformed, second, page_of("c")])

    with serving(lambda _, send: send(next(answers, b""))) as peer:
        with RevocationList(peer.url(""), api_key="ak_x", seconds=0.01) as revocations:
            until(lambda: "c" in revocations, what="the last page")

        assert "b" in revocations
        lines = [one.line.replace("%3A", ":") for one in peer.received[:7]]
        assert [FIRST in line for line in lines] == [False, True, False, True, False, True, False]


def test_the_python_list_stays_while_the_service_does_not_answer(caplog: pytest.LogCaptureFixture) -> None:
    answers = iter([page_of("a")])
    caplog.set_level(logging.WARNING, logger="gatehouse_client")

    with (
        serving(lambda _, send: send(next(answers, b""))) as peer,
        RevocationList(peer.url(""), api_key="ak_x", seconds=0.01) as revocations,
    ):
        until(lambda: caplog.records, what="a warning")

        assert "a" in revocations
    assert "ak_x" not in caplog.text


def test_the_python_list_does_not_start_with_a_refused_key(service: Service) -> None:
    before = threading.active_count()

    with pytest.raises(GatehouseError) as raised:
        RevocationList(f"http://localhost:{service.port}", api_key="ak_x")

    assert (raised.value.status, raised.value.code) == (401, "invalid_api_key")
    assert threading.active_count() == before


def test_the_list_in_typescript_passes_its_own_tests_in_node() -> None:
    run(["node", "--test", "test/revocations.test.mjs"], directory=built_client())
