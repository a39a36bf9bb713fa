"""Chromium, and a running service for the browser tests.

Playwright keeps an event loop running in the thread of the tests. Django refuses database calls in such a thread. So
the service runs in another process, and the tests call it over HTTP. The browser and the service stop before the next
test outside this package begins.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from django.conf import settings
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    expect,
)

from tests.processes.running import PATIENCE
from tests.processes.variables import empty_database
from tools.local_postgres import free_port

from .chromium import NAMES, find_chromium, launched
from .operators import make_operator
from .service import Service, Visitor, serving
from .site import embedding

OpenPage = Callable[..., Page]

VARIABLES = {
    "OPERATOR_SECOND_FACTOR": "required",
    "RETURN_TO": "https://app.example/signed-in",
    "OAUTH_GITHUB_CLIENT_ID": "gatehouse",
    "OAUTH_GITHUB_CLIENT_SECRET": "a secret",
}
"""The settings of the service that the tests share."""


@pytest.fixture(scope="package")
def chromium() -> str:
    """The path of the browser."""
    if settings.ROOT_URLCONF != "config.urls":
        pytest.skip("the pages are the same on every site, and the service that is visited is the standalone one")
    found = find_chromium()
    if found is None:
        pytest.skip(f"no Chromium here: none of {', '.join(NAMES)} is on the PATH")
    return found


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    """Chromium, headless, with access to this machine only."""
    expect.set_options(timeout=PATIENCE * 1000)
    with launched(chromium) as browser:
        yield browser


@pytest.fixture(scope="package")
def service(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service with a database of its own, empty at first and shared by all tests."""
    # The port must be fixed beforehand, because links and the origins of passkeys contain it.
    port = free_port()
    directory = tmp_path_factory.mktemp("browser")
    with (
        empty_database(directory) as url,
        serving(port=port, database_url=url, directory=directory, **VARIABLES) as service,
    ):
        yield service


@pytest.fixture(scope="package")
def site(service: Service) -> Iterator[str]:
    """The origin of an application whose page embeds the element `<ask-ai>`."""
    with embedding(service.url) as origin:
        yield origin


@dataclass
class Watch:
    """Errors and requests that the pages must not cause. `origins` may get requests."""

    origins: tuple[str, ...]
    offences: list[str] = field(default_factory=list)

    def watch(self, context: BrowserContext, *, permits_refusals: bool = False) -> None:
        """Watch every page of the context. `permits_refusals` lets pages have the status of an error."""
        context.on("console", self._console)
        context.on("weberror", lambda error: self.offences.append(f"uncaught: {error.error}"))
        context.on("request", self._request)
        if not permits_refusals:
            context.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        # The browser also logs refused API calls and missing files as errors here. `_response` reports missing files.
        if message.type in {"error", "warning"} and not message.text.startswith("Failed to load resource"):
            self.offences.append(f"console: {message.text}")

    def _request(self, request: Request) -> None:
        permitted = [f"{origin}/" for origin in self.origins]
        if not request.url.startswith((*permitted, "data:", "blob:", "about:")):
            self.offences.append(f"asked elsewhere: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 400 and response.request.resource_type not in {"fetch", "xhr"}:
            self.offences.append(f"answered {response.status}: {response.url}")


@pytest.fixture
def open_page(browser: Browser, service: Service, site: str) -> Iterator[OpenPage]:
    """Open an empty page in a browser context of its own, with the options of `browser.new_context`.

    At its end, the test fails if a page logged an error. It also fails if a page called another origin than those two.
    """
    contexts: list[BrowserContext] = []
    watch = Watch((service.url, site))

    def start(**options: object) -> Page:
        contexts.append(browser.new_context(base_url=service.url, **options))  # type: ignore[arg-type]  # a dict of its options
        watch.watch(contexts[-1])
        return contexts[-1].new_page()

    yield start
    for context in contexts:
        context.close()
    assert watch.offences == []


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """An empty page. `goto` takes paths of the service; `route` can add a page of the test at the same origin."""
    return open_page()


@pytest.fixture
def olivia(service: Service) -> Visitor:
    """An operator without a second factor."""
    return make_operator(service)
