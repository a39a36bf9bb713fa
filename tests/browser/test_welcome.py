"""The page at `/`, as a browser shows it."""

import pytest
from playwright.sync_api import Page, expect

from .looks import fits, texts


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_on_a_small_phone_by_day_and_by_night(page: Page, scheme: str) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")

    page.goto("/")

    expect(page.get_by_role("heading")).to_have_text("Gatehouse")
    assert [text for text in texts(page) if text.contrast < 4.5] == []
    assert fits(page)


def test_it_leads_to_the_api_reference(page: Page) -> None:
    page.goto("/")

    page.get_by_role("link", name="API reference").click()

    page.wait_for_url("**/v1/docs")
