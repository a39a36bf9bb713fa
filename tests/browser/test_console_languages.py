"""The languages of the console in Chromium: the choice of one, and pages in each at the width of a phone."""

import psycopg
import pytest
from playwright.sync_api import expect

from mail.languages import ENGLISH, LANGUAGES
from tests.client import PASSWORD
from tests.placement import TAKES_LONG

from .conftest import OpenPage
from .looks import faults, fits
from .service import Service, Visitor
from .test_console_pages import CUT, OTHER_PAGES, rows
from .test_console_sign_in import olivia

pytestmark = pytest.mark.usefixtures("full_deployment")

__all__ = ["olivia", "rows"]


@pytest.mark.parametrize("is_scripted", [True, False], ids=["with scripts", "without scripts"])
def test_a_button_below_the_page_chooses_the_language(
    open_page: OpenPage, service: Service, olivia: Visitor, is_scripted: bool
) -> None:
    page = open_page(java_script_enabled=is_scripted, locale="fr-FR", viewport={"width": 360, "height": 780})
    page.goto("/console/sign-in")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    # axe is a script too.
    assert not is_scripted or faults(page) == []

    page.get_by_role("button", name="Deutsch").press("Enter")

    expect(page.get_by_role("heading", level=1)).to_have_text("An der Konsole anmelden")
    page.get_by_label("E-Mail-Adresse").fill(olivia.email)
    page.get_by_label("Passwort").fill(PASSWORD)
    page.get_by_role("button", name="Anmelden", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Zweiten Faktor einrichten")
    with psycopg.connect(service.database_url) as session:
        session.execute("UPDATE authsvc_console_consolesession SET has_factor = true")
    page.goto("/console/users?state=locked")
    page.locator("summary", has_text="Menü").press("Enter")
    page.get_by_role("button", name="日本語").locator("visible=true").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("ユーザー")
    assert page.url.endswith("/console/users?state=locked")


@TAKES_LONG
def test_each_page_fits_a_phone_in_each_language(
    open_page: OpenPage, service: Service, olivia: Visitor, rows: list[str]
) -> None:
    page = open_page(viewport={"width": 360, "height": 780}, locale="en-GB")
    page.goto("/console/")
    page.get_by_label("E-mail address").fill(olivia.email)
    page.get_by_label("Password").fill(PASSWORD)
    with page.expect_navigation(url="**/console/enrol*"):
        page.keyboard.press("Enter")
    with psycopg.connect(service.database_url) as session:
        session.execute("UPDATE authsvc_console_consolesession SET has_factor = true")
    page.goto("/console/")
    sections = [str(link.get_attribute("href")) for link in page.locator(".side nav li a").all()]
    found = []

    for language in [language for language in LANGUAGES if language != ENGLISH]:
        page.context.add_cookies([{"name": "gatehouse-language", "value": language, "url": service.url}])
        for path in [*sections, *rows, *OTHER_PAGES]:
            page.goto(path if path.startswith("/") else f"/console/{path}")
            if not fits(page) or page.evaluate(CUT) or page.locator("html").get_attribute("lang") != language:
                found.append((language, path))

    assert found == []
