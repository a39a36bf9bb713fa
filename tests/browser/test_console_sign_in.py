"""The sign-in to the console in Chromium, with each factor."""

import psycopg
import pytest
from playwright.sync_api import Page, Response, expect

from tests.client import PASSWORD
from tests.processes.running import until
from tests.second_factors import App

from .conftest import OpenPage
from .looks import fits, texts
from .service import Service, Visitor
from .test_passkeys import PLATFORM, VirtualAuthenticator

pytestmark = pytest.mark.usefixtures("full_deployment")


@pytest.fixture
def olivia(service: Service) -> Visitor:
    """An operator without a second factor."""
    visitor = service.sign_up()
    user_id = service.get("/v1/verify", token=visitor.access).data["user_id"]
    with psycopg.connect(service.database_url) as session:
        session.execute("INSERT INTO authsvc_console_operator VALUES (%s, 'admin', now())", [user_id])
    return visitor


def sign_in(page: Page, operator: Visitor) -> None:
    """Send the address and the password."""
    page.get_by_label("E-mail address").fill(operator.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def expect_heading(page: Page, heading: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out").locator("visible=true").click()
    expect_heading(page, "Sign in to the console")


def enrol_app(page: Page) -> App:
    """Set up an authenticator app on the page that asks for a second factor. Continue to the page behind it."""
    page.get_by_role("button", name="Use an authenticator app").click()
    app = App(str(page.locator("details code").text_content()).replace(" ", ""))
    page.get_by_label("Code from the app").fill(app.code())
    page.get_by_role("button", name="Confirm").click()
    expect_heading(page, "Save your recovery codes")
    page.get_by_role("link", name="I saved the codes. Continue").click()
    return app


@pytest.mark.parametrize("is_scripted", [True, False], ids=["with scripts", "without scripts"])
def test_an_operator_sets_up_an_app_and_signs_in_with_its_codes(
    open_page: OpenPage, olivia: Visitor, is_scripted: bool
) -> None:
    page = open_page(java_script_enabled=is_scripted)
    page.goto("/console/?from=a-bookmark")
    sign_in(page, olivia)
    expect_heading(page, "Set up a second factor")

    app = enrol_app(page)
    expect_heading(page, "Overview")
    assert page.url.endswith("/console/?from=a-bookmark")
    sign_out(page)

    sign_in(page, olivia)
    expect(page.get_by_label("Code from your authenticator app")).to_be_focused()
    page.get_by_label("Code from your authenticator app").fill(app.code(steps=1))
    page.get_by_role("button", name="Continue").first.click()
    expect_heading(page, "Overview")


def test_a_passkey_signs_in_alone_and_as_the_second_factor(page: Page, olivia: Visitor) -> None:
    page.goto("/console/")
    VirtualAuthenticator.add_to(page, PLATFORM)
    sign_in(page, olivia)
    page.get_by_role("button", name="Create a passkey").click()
    expect_heading(page, "Save your recovery codes")
    page.get_by_role("link", name="I saved the codes. Continue").click()
    expect_heading(page, "Overview")
    sign_out(page)

    page.get_by_role("button", name="Sign in with a passkey").click()
    expect_heading(page, "Overview")
    sign_out(page)

    sign_in(page, olivia)
    page.get_by_role("button", name="Use a passkey").click()
    expect_heading(page, "Overview")

    page.goto("/console/confirm?next=/console/?confirmed")
    page.get_by_role("button", name="Use a passkey").click()
    expect_heading(page, "Overview")
    assert page.url.endswith("/console/?confirmed")


def test_a_link_of_another_site_opens_the_page_for_a_signed_in_operator(
    page: Page, service: Service, olivia: Visitor
) -> None:
    page.goto("/console/")
    sign_in(page, olivia)
    enrol_app(page)
    expect_heading(page, "Overview")

    answered: list[tuple[str, int]] = []

    def note(response: Response) -> None:
        if response.request.is_navigation_request() and response.url.startswith(service.url):
            answered.append((str(response.request.all_headers().get("sec-fetch-site")), response.status))

    page.on("response", note)
    page.goto(f"data:text/html,<a href='{service.url}/console/?from=a-chat'>A link</a>")
    page.get_by_role("link", name="A link").click()

    expect_heading(page, "Overview")
    assert page.url == f"{service.url}/console/?from=a-chat"

    def is_reloaded() -> bool:
        # Playwright reports responses only while it waits.
        page.wait_for_timeout(20)
        return len(answered) > 1

    until(is_reloaded, what="the page that reloads itself")
    assert answered == [("cross-site", 200), ("same-origin", 200)], "Without its cookie, the page reloads itself once."


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_sign_in_is_legible(open_page: OpenPage, olivia: Visitor, scheme: str, width: int) -> None:
    page = open_page(color_scheme=scheme, viewport={"width": width, "height": 800})
    page.goto("/console/")
    expect_heading(page, "Sign in to the console")
    assert fits(page)
    assert min(found.contrast for found in texts(page)) >= 4.5

    sign_in(page, olivia)
    expect_heading(page, "Set up a second factor")
    page.get_by_role("button", name="Use an authenticator app").click()
    expect_heading(page, "Set up an authenticator app")
    assert fits(page)
    assert min(found.contrast for found in texts(page)) >= 4.5
