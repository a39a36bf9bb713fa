"""Clients for Node.js sign in by their guides: openid-client and oauth4webapi."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.service import Service
from tests.placement import TAKES_LONG
from tests.processes.packages import INSTALL_SECONDS
from tests.processes.running import until

from .flows import agree, application, node_packages, variables_of
from .guide import Guide
from .visitor import Visitor

pytestmark = [pytest.mark.once, TAKES_LONG, pytest.mark.timeout(INSTALL_SECONDS + 120)]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the packages, in the versions of the lock file. May skip."""
    return node_packages(tmp_path_factory)


def test_openid_client_signs_in_refreshes_and_is_signed_out(service: Service, packages: Path) -> None:
    Guide(name="openid-client").write(packages, "js")

    with application("openid-client", service=service, command=["node", "server.mjs"], directory=packages) as app:
        app.sign_in_refresh_and_be_signed_out()


@pytest.fixture
def program(service: Service, packages: Path) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """The running program of the guide, and the file with its output."""
    guide = Guide(name="oauth4webapi")
    guide.write(packages, "js")
    client = guide.register(service, origin="")
    output = packages / "program.log"
    with output.open("wb") as file:
        variables = {**os.environ, **variables_of(client, service)}
        process = subprocess.Popen(
            ["node", "program.mjs"], cwd=packages, env=variables, stdout=file, stderr=subprocess.STDOUT
        )
    yield process, output
    process.kill()
    process.wait()


def test_oauth4webapi_signs_in_refreshes_and_ends_its_session(
    service: Service, program: tuple[subprocess.Popen[bytes], Path]
) -> None:
    process, output = program
    owner, visitor = service.sign_up(), Visitor()
    opened = until(lambda: re.search(r"^Open (\S+)$", output.read_text(), re.MULTILINE), what="the address to open")

    agree(visitor.open(opened[1]), owner)

    assert visitor.text == "You can close this page."
    process.wait(60)
    expected = [f"Signed in as {owner.email}", "Refreshed, and the refresh token is new", "Signed out"]
    assert output.read_text().splitlines()[1:] == expected
