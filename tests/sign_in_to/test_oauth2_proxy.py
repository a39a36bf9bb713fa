"""oauth2-proxy signs people in before a tool that knows no sign-in, by its guide."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests import loopback
from tests.browser.service import Service, serving
from tests.client import PASSWORD
from tests.placement import TAKES_LONG
from tests.processes.packages import INSTALL_SECONDS, install
from tests.processes.running import until
from tests.processes.variables import empty_database
from tools.local_postgres import free_port

from .flows import agree, end_access, need
from .guide import Guide, running
from .test_go_clients import BUILD_SECONDS, VARIABLES
from .visitor import Visitor

SOURCES = Path(__file__).parent / "oauth2_proxy"
ID_TOKEN_SECONDS = 5

pytestmark = [pytest.mark.once, TAKES_LONG, pytest.mark.timeout(INSTALL_SECONDS + BUILD_SECONDS + 120)]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A running service whose tokens are short-lived."""
    with (
        empty_database(tmp_path) as url,
        serving(
            port=free_port(), database_url=url, directory=tmp_path, ACCESS_TOKEN_SECONDS=str(ID_TOKEN_SECONDS)
        ) as running_service,
    ):
        yield running_service


def build(directory: Path) -> Path:
    """Return the program of oauth2-proxy, in the version of go.mod. May skip."""
    need("go")
    for name in ("go.mod", "go.sum"):
        shutil.copy(SOURCES / name, directory)
    install(["go", "mod", "download"], directory=directory, **VARIABLES)
    program = directory / "oauth2-proxy"
    command = ["go", "build", "-mod=mod", "-o", str(program), "github.com/oauth2-proxy/oauth2-proxy/v7"]
    subprocess.run(command, cwd=directory, env={**os.environ, **VARIABLES}, check=True, timeout=BUILD_SECONDS)
    return program


def write_settings(guide: Guide, directory: Path, **values: str) -> None:
    """Write the settings of the guide with these values. Without TLS, the proxy needs two settings more."""
    guide.write(directory, "toml")
    path = directory / "oauth2-proxy.cfg"
    stated = dict(line.split(" = ", 1) for line in path.read_text().splitlines())
    assert values.keys() - stated.keys() == {"cookie_secure", "http_address"}
    path.write_text("\n".join(f"{name} = {value}" for name, value in (stated | values).items()))


def test_oauth2_proxy_tells_the_tool_who_signed_in_and_notices_the_end(service: Service, tmp_path: Path) -> None:
    program, guide, port = build(tmp_path), Guide(name="oauth2-proxy"), free_port()
    origin = f"http://127.0.0.1:{port}"
    client = guide.register(service, origin=origin)
    owner = service.sign_up()
    service.post("/v1/email/verify/request", token=owner.access)
    token = service.token_mailed_to(owner.email)
    assert service.post("/v1/email/verify/confirm", {"token": token}, token=owner.access).status == 200

    with loopback.serving(loopback.answering(loopback.response(b"The old tool"))) as tool:
        write_settings(
            guide,
            tmp_path,
            oidc_issuer_url=f'"{service.url}"',
            client_id=f'"{client.client_id}"',
            client_secret=f'"{client.secret}"',
            redirect_url=f'"{origin}/oauth2/callback"',
            cookie_secret=f'"{"x" * 32}"',
            cookie_refresh='"1s"',
            upstreams=f'["{tool.url()}"]',
            cookie_secure="false",
            http_address=f'"127.0.0.1:{port}"',
        )
        command: list[str | Path] = [program, "--config", "oauth2-proxy.cfg"]
        with running(command, directory=tmp_path, origin=f"{origin}/ping", variables={}):
            visitor = Visitor()
            agree(visitor.open(f"{origin}/"), owner)
            assert visitor.text == "The old tool"
            assert tool.received[-1].headers["X-Forwarded-Email"] == owner.email
            expires_at = time.monotonic() + ID_TOKEN_SECONDS

            def has_outlived_the_first_tokens() -> bool:
                assert visitor.open(f"{origin}/").text == "The old tool"
                return time.monotonic() > expires_at

            until(has_outlived_the_first_tokens, what="a request after the first tokens")
            # The owner's own token has expired too.
            again = service.post("/v1/login", {"email": owner.email, "password": PASSWORD}).data["access_token"]
            end_access(replace(owner, access=again), service, client)
            until(lambda: visitor.open(f"{origin}/").text != "The old tool", what="the end of the proxy's session")
            assert visitor.url.startswith(service.url)
