"""A single-page application signs in by its guide, in Chromium."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chromium import find_chromium, launched
from tests.browser.operators import sign_in
from tests.browser.service import Service, serving
from tests.placement import TAKES_LONG
from tests.processes.packages import INSTALL_SECONDS
from tests.processes.running import PATIENCE
from tests.processes.variables import empty_database
from tools.local_postgres import free_port

from .flows import end_access, node_packages
from .guide import Guide, running

pytestmark = [pytest.mark.once, TAKES_LONG, pytest.mark.timeout(INSTALL_SECONDS + 120)]


@pytest.fixture
def browser() -> Iterator[Browser]:
    """Chromium. May skip."""
    path = find_chromium()
    if path is None:
        pytest.skip("no Chromium is on the PATH")
    expect.set_options(timeout=PATIENCE * 1000)
    with launched(path) as browser:
        yield browser


@pytest.fixture
def origin() -> str:
    """The origin of the application. Chromium of the tests finds no host but `localhost`."""
    return f"http://localhost:{free_port()}"


@pytest.fixture
def service(origin: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that the page of the application may call."""
    directory: Path = tmp_path_factory.mktemp("service")
    with (
        empty_database(directory) as url,
        serving(port=free_port(), database_url=url, directory=directory, CORS_ALLOWED_ORIGINS=origin) as running,
    ):
        yield running


def test_a_single_page_application_signs_in_refreshes_and_learns_of_an_end(
    origin: str, service: Service, browser: Browser, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    guide, owner = Guide(name="single-page-application"), service.sign_up()
    client = guide.register(service, origin=origin)
    guide.write(tmp_path, "html", "js")
    settings = (tmp_path / "settings.js").read_text().replace("https://login.example.com", service.url)
    (tmp_path / "settings.js").write_text(settings.replace("…", client.client_id))
    library = node_packages(tmp_path_factory) / "node_modules" / "oauth4webapi" / "build" / "index.js"
    (tmp_path / "oauth4webapi.js").write_text(library.read_text())

    command = [sys.executable, "-m", "http.server", origin.rpartition(":")[2], "--bind", "127.0.0.1"]
    with running(command, directory=tmp_path, origin=origin.replace("localhost", "127.0.0.1"), variables={}):
        page = browser.new_page(locale="en-GB")
        page.goto(origin)
        page.get_by_role("button", name="Sign in").click()
        sign_in(page, owner)
        page.get_by_role("link", name="Not now").click()
        page.get_by_role("button", name="Continue", exact=True).click()
        shown = page.locator("#shown")
        expect(shown).to_have_text(f"Signed in as {owner.email}")
        page.get_by_role("button", name="Refresh").click()
        expect(shown).to_have_text(re.compile("refreshed$"))
        end_access(owner, service, client)
        page.get_by_role("button", name="Refresh").click()
        expect(shown).to_have_text("Nobody is signed in")
