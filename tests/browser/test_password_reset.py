"""The behaviour of the page that resets a forgotten password."""

import pytest
from playwright.sync_api import Page, expect

from tests.client import PASSWORD
from tests.placement import TAKES_LONG

from .conftest import OpenPage
from .looks import fits, texts
from .service import Service, Visitor

pytestmark = pytest.mark.once

PATH = "/mail/password-reset"
NEW = "another good password"


@pytest.fixture
def alice(service: Service) -> Visitor:
    """A user with an account."""
    return service.sign_up()


def mailed_token(service: Service, visitor: Visitor) -> str:
    service.post("/v1/password/forgot", {"email": visitor.email})
    return service.token_mailed_to(visitor.email)


def open_link(page: Page, token: str) -> None:
    page.goto(f"{PATH}#token={token}")
    expect_heading(page, "Set a new password")


def expect_heading(page: Page, heading: str) -> None:
    """Expect one heading with this text and with the focus, so that a screen reader reads it aloud."""
    expect(page.get_by_role("heading")).to_have_text([heading])
    expect(page.get_by_role("heading")).to_be_focused()


def log_in(service: Service, visitor: Visitor, password: str) -> int:
    return service.post("/v1/login", {"email": visitor.email, "password": password}).status


def test_a_user_requests_a_link_and_sets_a_password_with_the_keyboard_alone(
    page: Page, service: Service, alice: Visitor
) -> None:
    page.goto("/.well-known/change-password")
    expect_heading(page, "Reset your password")
    page.keyboard.press("Tab")
    page.keyboard.type(alice.email)
    page.keyboard.press("Enter")
    expect_heading(page, "Look into your mailbox")

    open_link(page, service.token_mailed_to(alice.email))
    page.keyboard.press("Tab")
    page.keyboard.type(NEW)
    with page.expect_response("**/v1/password/reset") as answered:
        page.keyboard.press("Enter")

    assert set(answered.value.request.post_data_json or {}) == {"token", "new_password"}
    expect_heading(page, "Your password is set")
    assert (log_in(service, alice, NEW), log_in(service, alice, PASSWORD)) == (200, 401)


def test_opening_the_link_sends_no_post_and_leaves_no_token_in_the_address(
    page: Page, service: Service, alice: Visitor
) -> None:
    token = mailed_token(service, alice)
    methods: list[str] = []
    page.on("request", lambda request: methods.append(request.method))

    open_link(page, token)
    page.wait_for_load_state("networkidle")

    assert set(methods) == {"GET"}
    assert page.evaluate("location.href").endswith(PATH)
    assert service.post("/v1/password/reset", {"token": token, "new_password": NEW}).status == 200


def test_password_managers_recognize_the_fields(page: Page) -> None:
    page.goto(PATH)
    expect(page.get_by_label("E-mail address")).to_have_attribute("autocomplete", "username")

    open_link(page, "x" * 43)
    expect(page.get_by_label("New password")).to_have_attribute("autocomplete", "new-password")
    expect(page.get_by_label("New password")).to_have_attribute("type", "password")


def test_the_password_can_be_shown(page: Page) -> None:
    open_link(page, "x" * 43)

    page.get_by_label("Show the password").check()
    expect(page.get_by_label("New password")).to_have_attribute("type", "text")

    page.get_by_label("Show the password").uncheck()
    expect(page.get_by_label("New password")).to_have_attribute("type", "password")


def test_a_refused_password_can_be_corrected_with_the_same_link(page: Page, service: Service, alice: Visitor) -> None:
    open_link(page, mailed_token(service, alice))
    password, button = page.get_by_label("New password"), page.get_by_role("button", name="Set the password")

    password.fill("short")
    button.click()
    expect(page.get_by_role("alert")).to_have_text("The password does not meet these rules: at least 8 characters.")
    expect(password).to_be_focused()
    password.fill("password123")
    button.click()
    expect(page.get_by_role("alert")).to_contain_text("known from data breaches")

    password.fill(NEW)
    button.click()

    expect_heading(page, "Your password is set")


def test_a_user_with_an_invalid_link_can_ask_for_a_new_one(page: Page, service: Service, alice: Visitor) -> None:
    open_link(page, "x" * 43)
    page.get_by_label("New password").fill(NEW)
    page.get_by_role("button", name="Set the password").click()
    expect_heading(page, "That did not work")

    page.get_by_role("button", name="Ask for a new link").click()
    page.get_by_label("E-mail address").fill(alice.email)
    page.get_by_role("button", name="Send the link").click()

    expect_heading(page, "Look into your mailbox")
    assert service.token_mailed_to(alice.email)


def test_the_page_shows_an_outage_and_the_user_can_try_again(page: Page, alice: Visitor) -> None:
    page.route("**/v1/password/forgot", lambda route: route.abort(), times=1)
    page.goto(PATH)
    page.get_by_label("E-mail address").fill(alice.email)
    page.get_by_role("button", name="Send the link").click()
    expect(page.get_by_role("alert")).to_have_text("The service could not be reached. Try again in a moment.")

    page.get_by_role("button", name="Send the link").click()

    expect_heading(page, "Look into your mailbox")


def test_without_javascript_the_page_says_that_it_needs_javascript(open_page: OpenPage) -> None:
    page = open_page(java_script_enabled=False)

    page.goto(f"{PATH}#token={'x' * 43}")

    assert page.locator("noscript > p").inner_text() == "This page needs JavaScript to reset your password."
    expect(page.get_by_role("button")).to_have_count(0)


@TAKES_LONG
@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_readable_on_a_phone_and_a_desktop_in_light_and_dark_mode(
    page: Page, service: Service, alice: Visitor, scheme: str, width: int
) -> None:
    def expect_readable() -> None:
        seen = texts(page)
        assert seen
        assert [text for text in seen if text.contrast < 4.5] == []
        assert fits(page)

    page.set_viewport_size({"width": width, "height": 640})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")

    page.goto(PATH)
    page.get_by_label("E-mail address").fill(alice.email)
    expect_readable()
    page.get_by_role("button", name="Send the link").click()
    expect_heading(page, "Look into your mailbox")
    expect_readable()

    open_link(page, service.token_mailed_to(alice.email))
    page.get_by_label("Show the password").check()
    page.get_by_label("New password").fill("short")
    page.get_by_role("button", name="Set the password").click()
    expect(page.get_by_role("alert")).not_to_be_empty()
    expect_readable()
    page.get_by_label("New password").fill(NEW)
    page.get_by_role("button", name="Set the password").click()
    expect_heading(page, "Your password is set")
    expect_readable()
