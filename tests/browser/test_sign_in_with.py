"""The page of docs/sign-in-with.md in a browser, from the button to the tokens."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.clients.building import built_client
from tests.issuers import Issuer, response, running, user
from tests.processes.running import ROOT
from tests.processes.variables import empty_database
from tools.local_postgres import free_port

from .service import Service, serving

LINES_MAX = 60
HTML = "Content-Type: text/html; charset=utf-8\r\n"

pytestmark = pytest.mark.once


def page_of_the_docs() -> str:
    """Return the only page in HTML of the docs page."""
    text = (ROOT / "docs" / "sign-in-with.md").read_text()
    (block,) = re.findall(r"^```html\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return str(block)


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    """An issuer that also serves the page of the application, at another origin than the service."""
    with running() as made:
        yield made


@pytest.fixture(scope="module")
def service(chromium: str, issuer: Issuer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    port = free_port()
    directory = tmp_path_factory.mktemp("sign-in-with")
    origin = f"http://localhost:{issuer.port}"
    variables = issuer.variables() | {
        "OAUTH_ACME_LABEL": "Acme",
        "OAUTH_ACME_AUTHORIZE_URL": f"{origin}/authorize",
        "OAUTH_REDIRECT_URIS": f"{origin}/sign-in/acme",
        "CORS_ALLOWED_ORIGINS": origin,
    }
    page = page_of_the_docs().replace("https://auth.example.com", f"http://localhost:{port}").encode()
    client = (built_client() / "dist" / "index.js").read_bytes()
    for path in ("/sign-in", "/sign-in/acme", "/sign-in/other"):
        issuer.replies[path] = lambda _: response(page, headers=HTML)
    issuer.replies["/gatehouse.js"] = lambda _: response(client, headers="Content-Type: text/javascript\r\n")
    with (
        empty_database(directory) as database_url,
        serving(port=port, database_url=database_url, directory=directory, **variables) as made,
    ):
        yield made


@pytest.fixture
def page(browser: Browser, service: Service, issuer: Issuer) -> Iterator[Page]:
    """A window at the page of the application."""
    context = browser.new_context()
    made = context.new_page()
    made.goto(f"http://localhost:{issuer.port}/sign-in")
    yield made
    context.close()


def test_the_page_is_short() -> None:
    assert len(page_of_the_docs().splitlines()) <= LINES_MAX


def test_a_click_signs_a_user_in_and_no_url_contains_the_state_token(page: Page, issuer: Issuer) -> None:
    issuer.visitor = user()
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))

    with page.expect_response("**/oauth/acme/complete") as completed:
        page.get_by_role("button", name="Sign in with Acme").click()

    expect(page.get_by_role("status")).to_have_text("You are signed in as alice@example.com.")
    sent = completed.value.request.post_data_json or {}
    assert set(sent) == {"state_token", "code", "state"}
    assert any(sent["code"] in url for url in urls)
    assert not any(sent["state_token"] in url for url in urls)
    assert page.url == f"http://localhost:{issuer.port}/sign-in"
    assert page.evaluate("sessionStorage.length") == 0
    page.reload()
    expect(page.get_by_role("status")).to_have_text("You are signed in as alice@example.com.")


def test_a_return_that_the_browser_did_not_start_signs_no_one_in(page: Page, issuer: Issuer) -> None:
    page.goto(f"http://localhost:{issuer.port}/sign-in/acme?code=x&state=y")

    expect(page.get_by_role("status")).to_have_text("This sign-in did not begin in this tab. Begin again.")


def test_a_sign_in_that_the_provider_refused_shows_its_error(page: Page, issuer: Issuer) -> None:
    page.route("**/authorize?*", lambda route: route.fulfill(status=200, content_type="text/html", body=""))
    page.get_by_role("button", name="Sign in with Acme").click()
    page.wait_for_url("**/authorize?*")
    page.goto(f"http://localhost:{issuer.port}/sign-in/acme?error=access_denied&state=x")

    expect(page.get_by_role("status")).to_have_text("The provider did not sign you in: access_denied.")
    expect(page.get_by_role("button", name="Sign in with Acme")).to_be_visible()


def test_the_page_shows_why_a_sign_in_failed(page: Page, issuer: Issuer) -> None:
    issuer.visitor = user("eve-at-acme", "eve@example.com", email_verified=False)

    page.get_by_role("button", name="Sign in with Acme").click()

    expect(page.get_by_role("status")).to_contain_text("does not confirm a verified e-mail address")


@pytest.mark.parametrize("lost", ["gatehouse.js", "v1/oauth/providers"])
def test_the_page_is_never_blank(page: Page, lost: str) -> None:
    page.route(f"**/{lost}", lambda route: route.abort())

    page.reload()

    expect(page.get_by_role("status")).not_to_have_text("One moment, please.")
    expect(page.get_by_role("status")).not_to_be_empty()
