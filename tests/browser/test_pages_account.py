"""The pages of the account in Chromium: with a virtual authenticator, and by keyboard alone without a script."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.client import PASSWORD

from .conftest import OpenPage
from .looks import faults, fits, texts
from .service import Service, Visitor
from .test_ask_ai import asking
from .test_passkeys import PLATFORM, VirtualAuthenticator

pytestmark = pytest.mark.once

__all__ = ["asking"]

TABS_MAX = 60
CONTRAST_MIN = 4.5


@pytest.fixture
def alice(service: Service) -> Visitor:
    """Alice, whose account has a session of an application and no second factor."""
    return service.sign_up()


def expect_heading(page: Page, heading: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)


def expect_notice(page: Page, text: str) -> None:
    expect(page.locator("main .notice")).to_have_text(text)


def sign_in(page: Page, visitor: Visitor) -> None:
    """Sign in on the page that the browser shows."""
    page.get_by_label("E-mail address").fill(visitor.email)
    page.get_by_label("E-mail address").press("Enter")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Password").press("Enter")
    page.wait_for_url(lambda url: "/sign-in" not in url)


def reach(page: Page, target: Locator) -> None:
    """Press Tab until the target has the focus."""
    for _ in range(TABS_MAX):
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            return
    pytest.fail(f"the keyboard does not reach {target}")


def press(page: Page, role: str, name: str) -> None:
    """Go to the control of the main part by the keyboard, and press it."""
    reach(page, page.get_by_role("main").get_by_role(role, name=name))  # type: ignore[arg-type]  # the roles of these tests
    page.keyboard.press("Enter")


def test_the_rooms_are_a_menu_in_a_narrow_column_of_a_wide_screen(page: Page, alice: Visitor) -> None:
    page.goto("/account/")
    sign_in(page, alice)
    page.goto("/account/devices")
    menu, beside = page.locator(".menu"), page.locator(".beside")
    expect(beside).to_be_visible()
    expect(menu).to_be_hidden()

    # A site gives the pages such a column by its template.
    page.evaluate("document.body.style.maxInlineSize = '600px'")

    expect(menu).to_be_visible()
    expect(beside).to_be_hidden()
    assert page.locator("main").evaluate("element => element.clientWidth") > 500


def passkey_pages(page: Page, visitor: Visitor) -> Iterator[str]:
    """Add, rename and remove a passkey, and make recovery codes. Yield the heading of each page that is shown."""
    page.goto("/account/passkeys")
    VirtualAuthenticator.add_to(page, PLATFORM)
    page.get_by_role("link", name="Add a passkey").click()
    expect_heading(page, "Add a passkey")
    yield "a new passkey"
    page.get_by_label("Name").fill("Blue <key>")
    page.get_by_role("button", name="Create the passkey").click()
    expect_heading(page, "Recovery codes")
    expect_notice(page, "The passkey is added. We mail you a notice.")
    page.get_by_role("button", name="Make new recovery codes").click()
    expect_heading(page, "Save your recovery codes")
    yield "new codes"
    page.goto("/account/passkeys")
    expect(page.get_by_text("Synced between your devices")).to_be_visible()
    yield "the list"
    page.get_by_role("link", name="Rename or remove Blue <key>").click()
    yield "one passkey"
    page.get_by_label("Name of the passkey").fill("Laptop")
    page.get_by_role("button", name="Save the name").click()
    expect_notice(page, "The name of the passkey is changed.")
    page.get_by_role("link", name="Rename or remove Laptop").click()
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Remove the passkey").click()
    expect_notice(page, "The passkey is removed. We mail you a notice.")
    expect(page.get_by_text("You have no passkeys.")).to_be_visible()


def test_a_person_adds_renames_and_removes_a_passkey(page: Page, alice: Visitor) -> None:
    page.goto("/account/")
    sign_in(page, alice)

    wrong = {}
    for state in passkey_pages(page, alice):
        wide = faults(page)
        page.set_viewport_size({"width": 360, "height": 740})
        page.emulate_media(color_scheme="dark", reduced_motion="reduce")
        pale = [text for text in texts(page) if text.contrast < CONTRAST_MIN]
        if wide or pale or not fits(page):
            wrong[state] = (wide, pale)
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 1280, "height": 800})

    assert wrong == {}


@pytest.mark.parametrize("is_scripted", [True, False], ids=["with scripts", "without scripts"])
def test_the_file_of_the_codes_needs_no_request_and_the_paper_has_only_the_codes(
    open_page: OpenPage, alice: Visitor, is_scripted: bool
) -> None:
    page = open_page(java_script_enabled=is_scripted, timezone_id="Asia/Tokyo")
    page.goto("/account/two-step/recovery-codes")
    sign_in(page, alice)
    page.goto("/account/activity")
    expect(page.locator("main header").first).to_contain_text(f"in the zone {'Asia/Tokyo' if is_scripted else 'UTC'}.")
    page.goto("/account/two-step/recovery-codes")
    page.get_by_role("button", name="Make new recovery codes").click()
    expect_heading(page, "Save your recovery codes")
    codes = page.locator("#codes li").all_inner_texts()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    with page.expect_download() as download:
        page.get_by_role("link", name="Download as a file").click()

    text = Path(download.value.path()).read_text()
    assert download.value.suggested_filename == "recovery-codes.txt"
    assert text.startswith(f"Recovery codes of {alice.email}")
    assert text.split()[-10:] == codes
    assert [url for url in asked if not url.startswith("data:")] == []
    expect(page.get_by_role("button", name="Print")).to_be_visible(visible=is_scripted)
    page.emulate_media(media="print")
    expect(page.locator("#codes")).to_be_visible()
    expect(page.get_by_role("heading", name="Recovery codes of")).to_be_visible()
    for hidden in (page.get_by_role("navigation").first, page.get_by_text("I saved the codes. Continue")):
        expect(hidden).to_be_hidden()


def test_a_phone_by_keyboard_alone_and_without_a_script(open_page: OpenPage, service: Service, alice: Visitor) -> None:
    page = open_page(java_script_enabled=False, viewport={"width": 360, "height": 740}, color_scheme="dark")
    page.goto("/account/devices")
    sign_in(page, alice)
    page.goto("/account/devices")
    expect(page.get_by_text("Application", exact=True)).to_be_visible()
    press(page, "button", "Sign out all other devices")
    expect_notice(page, "1 other device is signed out.")
    assert service.get("/v1/session", token=alice.access).status == 401

    reach(page, page.locator(".menu > summary"))
    page.keyboard.press("Enter")
    reach(page, page.locator(".menu").get_by_role("link", name="API keys"))
    page.keyboard.press("Enter")
    service.let_logins_age()
    press(page, "link", "Create a key")
    expect_heading(page, "Confirm that it is you")
    expect(page.get_by_label("Password")).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect_heading(page, "Create a key")
    expect(page.get_by_label("Name")).to_be_focused()
    page.keyboard.type("Report")
    page.keyboard.press("Tab")
    page.keyboard.type("reports:read")
    page.keyboard.press("Enter")
    expect_heading(page, "Copy your key")
    assert fits(page)

    page.goto("/account/data")
    with page.expect_download() as download:
        press(page, "button", "Download the file")
    assert json.loads(Path(download.value.path()).read_text())["email"] == alice.email
    press(page, "link", "Delete the account")
    expect(page.get_by_text("1 API key stops working.")).to_be_visible()
    reach(page, page.get_by_label(f"Type {alice.email}"))
    page.keyboard.type(alice.email)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect_heading(page, "Your account is deleted")
    assert service.post("/v1/login", {"email": alice.email, "password": PASSWORD}).status == 401


@pytest.mark.usefixtures("full_deployment")
def test_an_example_is_answered_by_a_sentence_and_a_table(
    asking: Service, open_page: OpenPage, alice: Visitor, tmp_path: Path
) -> None:
    page = open_page(java_script_enabled=False, viewport={"width": 360, "height": 740}, color_scheme="dark")
    page.goto("/account/ask")
    sign_in(page, alice)
    page.goto("/account/ask")
    expect(page.get_by_role("textbox", name="Your question")).to_be_focused()

    page.get_by_role("button", name="Where am I signed in?").click()

    expect(page.get_by_role("heading", level=2).first).to_have_text("Where am I signed in?")
    expect(page.get_by_role("row")).to_have_count(3)
    assert [text for text in texts(page) if text.contrast < CONTRAST_MIN] == []
    assert fits(page)
    page.screenshot(path=tmp_path / "ask.png")
