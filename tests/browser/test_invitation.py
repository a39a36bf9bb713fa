"""The behaviour of the page that accepts an invitation."""

import pytest
from playwright.sync_api import Page, expect

from tests.client import PASSWORD

from .looks import fits
from .service import Service

pytestmark = pytest.mark.once

PATH = "/mail/invitation"


def expect_heading(page: Page, heading: str) -> None:
    expect(page.get_by_role("heading")).to_have_text([heading])
    expect(page.get_by_role("heading")).to_be_focused()


def test_an_invited_person_sets_a_password_with_the_keyboard_alone(page: Page, service: Service) -> None:
    email = "carol-invited@example.com"
    service.manage("users", "invite", email)
    page.goto(f"{PATH}#token={service.token_mailed_to(email)}")
    expect_heading(page, "Accept the invitation")
    assert fits(page)
    page.keyboard.press("Tab")
    page.keyboard.type("short")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("at least 8 characters")

    page.get_by_label("New password").fill(PASSWORD)
    page.keyboard.press("Enter")

    expect_heading(page, "Your account is ready")
    assert service.post("/v1/login", {"email": email, "password": PASSWORD}).status == 200


def test_an_unknown_link_and_no_link_say_so(page: Page, service: Service) -> None:
    page.goto(f"{PATH}#token={'A' * 43}")
    page.get_by_label("New password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect_heading(page, "That did not work")

    page.goto("about:blank")
    page.goto(PATH)
    expect_heading(page, "There is no link here")
