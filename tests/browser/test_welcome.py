"""The page at `/` in a browser."""

import pytest
from playwright.sync_api import Page, expect

from tests.placement import TAKES_LONG

from .looks import faults, fits, texts

pytestmark = pytest.mark.once


@TAKES_LONG
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_readable_on_a_small_phone_in_light_and_dark_mode(page: Page, scheme: str) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")

    page.goto("/")
    page.get_by_text("For operators and developers").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Welcome")
    assert [text for text in texts(page) if text.contrast < 4.5] == []
    assert fits(page)
    assert faults(page) == []


def test_the_page_leads_to_the_sign_in_and_to_the_api_reference(page: Page) -> None:
    page.goto("/")

    page.get_by_role("link", name="Sign in").click()
    page.wait_for_url("**/sign-in")
    page.go_back()
    page.get_by_text("For operators and developers").click()
    page.get_by_role("link", name="API reference").click()

    page.wait_for_url("**/v1/docs")
