"""The browsable API in Chromium."""

import re

import pytest
from playwright.sync_api import Page, expect

from .conftest import OpenPage
from .looks import faults, fits, texts
from .operators import enter_console, expect_heading
from .service import Service, Visitor

pytestmark = pytest.mark.usefixtures("full_deployment")

WIDGET = "/v1/admin/settings/ask-ai-widget"


def expect_status(page: Page, status: str) -> None:
    expect(page.get_by_role("region", name="Answer", exact=True).locator(".badge")).to_have_text(status)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_operator_stores_and_deletes_a_setting_by_the_forms(
    open_page: OpenPage, service: Service, olivia: Visitor, scheme: str
) -> None:
    page = open_page(color_scheme=scheme, viewport={"width": 360, "height": 640})
    enter_console(page, service, olivia, WIDGET)
    expect_heading(page, "Show the widget setting")
    assert (faults(page), fits(page)) == ([], True)
    assert [text for text in texts(page) if text.contrast < 4.5] == []

    page.get_by_label("enabled").check()
    page.get_by_label("greeting").fill("Ask me")
    page.get_by_label("allowed_origins").fill("https://a.example\nhttps://b.example")
    page.get_by_label("audit_events").check()
    page.get_by_role("button", name="PUT", exact=True).click()

    expect_heading(page, "Store the widget setting")
    expect_status(page, "200 OK")
    page.goto(WIDGET)
    expect(page.get_by_label("allowed_origins")).to_have_value("https://a.example\nhttps://b.example")
    expect(page.get_by_label("audit_events")).to_be_checked()

    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="DELETE").click()
    expect_heading(page, "Delete the widget setting")
    expect(page.get_by_role("region", name="Body of the answer")).to_contain_text('"enabled": false')

    page.get_by_role("link", name="users", exact=True).click()
    page.get_by_label("limit").fill("1")
    page.get_by_role("button", name="GET").click()
    page.wait_for_url(re.compile(r"/users\?limit=1"))
    page.locator("pre a").first.click()
    expect_heading(page, "Show a user")
