"""The examples for services in docs/sign-out.md, each run unchanged against a real server."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import jwt
import pytest

from tests.client import PASSWORD

from .conftest import Run
from .running import ROOT, call, until

PAGE = ROOT / "docs" / "sign-out.md"
PYTHON_MAIN = """
import sys, time
from example import RevocationList
_, url, key, jti = sys.argv
revoked = RevocationList(url, key, 0.1)
print(jti in revoked, flush=True)
while jti not in revoked:
    time.sleep(0.02)
print(True, flush=True)
"""
NODE_MAIN = """
import { startRevocationList } from "./example.mjs";
const [url, key, jti] = process.argv.slice(2);
const revoked = await startRevocationList(url, key, 0.1);
console.log(revoked.has(jti) ? "True" : "False");
while (!revoked.has(jti)) await new Promise((resolve) => setTimeout(resolve, 20));
console.log("True");
"""
LANGUAGES = {
    # The heading on the page, the fence, the suffix of the files, the main program and the command.
    "python": ("Python", "python", "py", PYTHON_MAIN, (sys.executable,)),
    "node": ("Node", "js", "mjs", NODE_MAIN, ("node",)),
}

pytestmark = pytest.mark.once


def section(heading: str) -> str:
    return PAGE.read_text().partition(f"# {heading}\n")[2].partition("\n## ")[0].partition("\n### ")[0]


def example(language: str) -> str:
    heading, fence, *_ = LANGUAGES[language]
    (code,) = re.findall(rf"```{fence}\n(.*?)```", section(heading), re.DOTALL)
    return str(code)


def test_the_examples_refuse_a_token_soon_after_its_session_has_ended(serve: Run, tmp_path: Path) -> None:
    port = serve("--no-worker").await_ready()
    person = {"email": "alice@example.com", "password": PASSWORD}
    call(port, "POST", "/v1/signup", person)
    service, session = (call(port, "POST", "/v1/login", person).data["access_token"] for _ in range(2))
    body = {"name": "prices", "scopes": ["revocations:read"]}
    key = call(port, "POST", "/v1/api-keys", body, token=service).data["key"]
    jti = jwt.decode(session, options={"verify_signature": False})["jti"]
    running = {}
    for language, (_, _, suffix, main, command) in LANGUAGES.items():
        if shutil.which(command[0]) is None:
            continue
        directory = tmp_path / language
        directory.mkdir()
        (directory / f"example.{suffix}").write_text(example(language))
        (directory / f"main.{suffix}").write_text(main)
        arguments = [*command, f"main.{suffix}", f"http://localhost:{port}/v1/revocations", key, jti]
        with (directory / "out").open("w") as out:
            running[directory / "out"] = subprocess.Popen(arguments, cwd=directory, stdout=out)

    try:
        until(lambda: all(out.read_text() == "False\n" for out in running), what="the first list")
        call(port, "DELETE", f"/v1/sessions/{jti}", token=service)
        until(lambda: all(out.read_text() == "False\nTrue\n" for out in running), what="the end of the session")
    finally:
        for process in running.values():
            process.kill()
            process.wait()
    (line,) = re.findall(r"^\{.*\}$", section("The list in a service"), re.MULTILINE)
    shown, answer = json.loads(line)["data"], call(port, "GET", "/v1/revocations", token=key).data
    assert shown.keys() == answer.keys()
    assert shown["revocations"][0].keys() == answer["revocations"][0].keys()
    if len(running) < len(LANGUAGES):
        pytest.skip("node is not on the PATH")
