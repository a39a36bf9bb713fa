"""The languages of the console in Chromium: the choice of one, and pages in each at the width of a phone."""

import pytest
from playwright.sync_api import expect

from mail.languages import ENGLISH, LANGUAGES
from tests.placement import TAKES_LONG

from .conftest import OpenPage
from .looks import faults, fits
from .operators import enter_console
from .service import Service, Visitor
from .test_console_pages import CUT, OTHER_PAGES, rows

pytestmark = pytest.mark.usefixtures("full_deployment")

__all__ = ["rows"]


@pytest.mark.parametrize("is_scripted", [True, False], ids=["with scripts", "without scripts"])
def test_a_button_below_the_page_chooses_the_language(
    open_page: OpenPage, service: Service, olivia: Visitor, is_scripted: bool
) -> None:
    page = open_page(java_script_enabled=is_scripted, locale="fr-FR", viewport={"width": 360, "height": 780})
    page.goto("/console/users?state=locked")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    # axe is a script too.
    assert not is_scripted or faults(page) == []

    page.locator("summary", has_text="Français").press("Enter")
    page.get_by_role("button", name="Deutsch").press("Enter")

    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.context.add_cookies([{"name": "gatehouse-language", "value": "en", "url": service.url}])
    enter_console(page, service, olivia, "/console/users?state=locked")
    page.locator("summary", has_text="Menu").press("Enter")
    page.get_by_role("button", name="Deutsch").locator("visible=true").press("Enter")
    page.locator("summary", has_text="Menü").press("Enter")
    page.get_by_role("button", name="日本語").locator("visible=true").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("ユーザー")
    assert page.url.endswith("/console/users?state=locked")


@TAKES_LONG
def test_each_page_fits_a_phone_in_each_language(
    open_page: OpenPage, service: Service, olivia: Visitor, rows: list[str]
) -> None:
    page = open_page(viewport={"width": 360, "height": 780}, locale="en-GB")
    enter_console(page, service, olivia)
    sections = [str(link.get_attribute("href")) for link in page.locator(".side nav li a").all()]
    found = []

    for language in [language for language in LANGUAGES if language != ENGLISH]:
        page.context.add_cookies([{"name": "gatehouse-language", "value": language, "url": service.url}])
        for path in [*sections, *rows, *OTHER_PAGES]:
            page.goto(path if path.startswith("/") else f"/console/{path}")
            if not fits(page) or page.evaluate(CUT) or page.locator("html").get_attribute("lang") != language:
                found.append((language, path))

    assert found == []
