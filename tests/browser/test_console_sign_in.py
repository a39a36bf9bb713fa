"""The way of an operator into the console in Chromium."""

from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from tests.second_factors import App

from .conftest import OpenPage
from .looks import faults, fits
from .operators import enter_console, expect_heading, sign_in
from .service import Service, Visitor
from .test_passkeys import PLATFORM, VirtualAuthenticator

pytestmark = pytest.mark.usefixtures("full_deployment")


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out").locator("visible=true").click()
    expect_heading(page, "Sign in")


def save_codes(page: Page) -> None:
    """Make recovery codes on the page that follows an enrolment, and continue to the console."""
    page.get_by_role("button", name="Make new recovery codes").click()
    expect_heading(page, "Save your recovery codes")
    page.get_by_role("link", name="I saved the codes. Continue").click()
    expect_heading(page, "Overview")


@pytest.mark.parametrize("is_scripted", [True, False], ids=["with scripts", "without scripts"])
def test_an_operator_sets_up_an_app_and_signs_in_with_its_codes(
    open_page: OpenPage, olivia: Visitor, is_scripted: bool
) -> None:
    page = open_page(java_script_enabled=is_scripted)
    page.goto("/console/?from=a-bookmark")
    sign_in(page, olivia)
    expect(page.locator(".notice")).to_contain_text("The console needs a second factor.")

    page.get_by_role("link", name="Set up: Authenticator app").click()
    page.get_by_role("button", name="Show the QR code").click()
    app = App(str(page.locator("#app-secret").text_content()).replace(" ", ""))
    page.get_by_label("Code from the app").fill(app.code())
    page.get_by_role("button", name="Turn it on").click()
    save_codes(page)
    assert page.url.endswith("/console/?from=a-bookmark")
    sign_out(page)

    sign_in(page, olivia)
    expect(page.get_by_label("Code from your authenticator app")).to_be_focused()
    page.get_by_label("Code from your authenticator app").fill(app.code(steps=1))
    page.get_by_role("button", name="Continue").first.click()
    expect_heading(page, "Overview")


def test_an_operator_sets_up_a_passkey_and_signs_in_with_it_alone(page: Page, olivia: Visitor) -> None:
    page.goto("/console/users")
    VirtualAuthenticator.add_to(page, PLATFORM)
    sign_in(page, olivia)
    page.get_by_role("link", name="Set up: Passkeys").click()
    if page.get_by_role("link", name="Add a passkey").count():
        page.get_by_role("link", name="Add a passkey").click()
    page.get_by_role("button", name="Create the passkey").click()
    page.get_by_role("button", name="Make new recovery codes").click()
    page.get_by_role("link", name="I saved the codes. Continue").click()
    expect_heading(page, "Users")

    page.get_by_role("button", name="Sign out").locator("visible=true").click()
    # The virtual authenticator answers the autofill of the sign-in at once.
    expect_heading(page, "Overview")


def test_a_link_of_another_site_opens_the_page_for_a_signed_in_operator(
    page: Page, service: Service, olivia: Visitor
) -> None:
    enter_console(page, service, olivia)
    answered: list[tuple[str, int]] = []

    def note(response: Response) -> None:
        if response.request.is_navigation_request() and response.url.startswith(service.url):
            answered.append((str(response.request.all_headers().get("sec-fetch-site")), response.status))

    page.on("response", note)
    page.goto(f"data:text/html,<a href='{service.url}/console/?from=a-chat'>A link</a>")
    page.get_by_role("link", name="A link").click()

    expect_heading(page, "Overview")
    assert page.url == f"{service.url}/console/?from=a-chat"
    assert answered == [("cross-site", 200)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_for_a_person_who_is_no_operator_is_legible(
    browser: Browser, service: Service, scheme: Literal["light", "dark"], width: int
) -> None:
    # The status of the page is 403, which `open_page` counts as a fault.
    page = browser.new_page(
        base_url=service.url, color_scheme=scheme, viewport={"width": width, "height": 800}, locale="en-GB"
    )
    enter_console(page, service, service.sign_up())

    expect_heading(page, "This account is not an operator")
    assert (faults(page), fits(page)) == ([], True)
    page.get_by_role("button", name="Sign in with another account").click()
    expect_heading(page, "Sign in")
    page.close()
