"""The Next.js application of clients/examples/nextjs in a browser. Its server keeps the tokens."""

import os
import signal
import subprocess
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.client import PASSWORD
from tests.clients.building import installed_example
from tests.placement import TAKES_LONG
from tests.processes.running import until
from tests.second_factors import app_of
from tools.local_postgres import free_port

from .service import Service, Visitor

pytestmark = [pytest.mark.once, pytest.mark.timeout(500), TAKES_LONG]


@pytest.fixture(scope="module")
def application(service: Service) -> Iterator[str]:
    """The origin of the running application."""
    directory = installed_example("nextjs")
    port = free_port()
    variables = {"GATEHOUSE_URL": service.url, "NEXT_TELEMETRY_DISABLED": "1"}
    command = ["node", "node_modules/next/dist/bin/next", "start", "--hostname", "localhost", "--port", str(port)]
    with (directory / "server.log").open("w") as log:
        server = subprocess.Popen(
            command, cwd=directory, env={**os.environ, **variables}, stdout=log, stderr=log, process_group=0
        )
    try:
        until(lambda: is_open(port), what="the application")
        yield f"http://localhost:{port}"
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait()


def is_open(port: int) -> bool:
    """Tell whether a server listens on the port."""
    connection = HTTPConnection("localhost", port, timeout=1)
    try:
        connection.connect()
    except OSError:
        return False
    finally:
        connection.close()
    return True


@pytest.fixture
def alice(service: Service) -> Visitor:
    """A user with an account."""
    return service.sign_up()


@pytest.fixture
def page(browser: Browser, application: str) -> Iterator[Page]:
    """A window at the page of the application."""
    with browser.new_context() as context:
        made = context.new_page()
        made.goto(application)
        yield made


def sign_in(page: Page, visitor: Visitor, password: str = PASSWORD) -> None:
    """Send the form."""
    page.get_by_placeholder("E-mail").fill(visitor.email)
    page.get_by_placeholder("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def test_the_browser_gets_a_cookie_that_no_script_reads_and_no_token(
    page: Page, alice: Visitor, service: Service
) -> None:
    texts: list[str] = []
    page.on("response", lambda response: texts.append(str(response.all_headers())))

    sign_in(page, alice)
    expect(page.get_by_text(f"You are {alice.email}.")).to_be_visible()
    page.reload()
    expect(page.get_by_text(f"You are {alice.email}.")).to_be_visible()

    (cookie,) = page.context.cookies()
    assert (cookie["httpOnly"], cookie["secure"], cookie["sameSite"]) == (True, True, "Lax")
    assert page.evaluate("[document.cookie, localStorage.length, sessionStorage.length]") == ["", 0, 0]
    seen = [page.content(), *texts, *cookie.values()]
    assert not [text for text in seen for token in ("eyJ", "srt_") if token in str(text)]
    newest, _ = service.get("/v1/sessions", token=alice.access).data
    assert "Chrome" in newest["user_agent"]


def test_a_wrong_password_is_shown(page: Page, alice: Visitor) -> None:
    sign_in(page, alice, "a wrong password")

    expect(page.get_by_role("alert").filter(has_text="password")).to_be_visible()
    assert page.context.cookies() == []


def test_the_sign_out_ends_the_session_at_the_service(page: Page, alice: Visitor, service: Service) -> None:
    sign_in(page, alice)
    page.get_by_role("button", name="Sign out").click()

    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert page.context.cookies() == []
    assert len(service.get("/v1/sessions", token=alice.access).data) == 1


def test_a_code_completes_the_sign_in(page: Page, alice: Visitor, service: Service) -> None:
    app = app_of(service.post("/v1/totp/enroll", token=alice.access).data["otpauth_url"])
    service.post("/v1/totp/confirm", {"code": app.code(steps=-1)}, token=alice.access)
    sign_in(page, alice)

    page.get_by_placeholder("Code").fill(app.wrong_code())
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("alert").filter(has_text="code")).to_be_visible()
    page.get_by_placeholder("Code").fill(app.code())
    page.get_by_role("button", name="Go on").click()

    expect(page.get_by_text(f"You are {alice.email}.")).to_be_visible()
