"""The settings, the metadata editor and the operators in Chromium."""

import pytest
from playwright.sync_api import Page, expect

from tests.placement import TAKES_LONG

from .looks import faults, fits, texts
from .operators import enter_console
from .service import Service, Visitor

pytestmark = pytest.mark.usefixtures("full_deployment")


@pytest.fixture
def console(page: Page, service: Service, olivia: Visitor) -> Page:
    """The browser of a signed-in operator. The session counts as one with a second factor."""
    enter_console(page, service, olivia, "/console/settings/llm")
    return page


def user_id(service: Service, visitor: Visitor) -> str:
    return str(service.get("/v1/verify", token=visitor.access).data["user_id"])


def test_a_setting_is_tested_stored_and_removed(console: Page) -> None:
    console.goto("/console/settings/llm")
    model, key = console.get_by_label("Model", exact=True), console.get_by_label("API key")
    result = console.locator("#result")
    console.get_by_role("radio", name="Built-in parser").check()
    expect(model).to_be_hidden()

    console.get_by_role("radio", name="OpenAI").check()
    model.fill("some-model")
    key.fill("sk-typed")
    console.get_by_label("Maximum length").fill("1")
    console.get_by_role("button", name="Test").click()
    expect(result).to_contain_text("must be at least 256")
    expect(key).to_have_value("sk-typed")
    expect(model).to_have_value("some-model")

    console.get_by_label("Maximum length").fill("300")
    console.get_by_role("radio", name="Built-in parser").check()
    console.get_by_role("button", name="Test").click()
    expect(result).to_have_text("The built-in parser needs no network.")
    console.get_by_role("button", name="Save").click()
    expect(console.locator(".notice")).to_have_text("You stored the language model setting.")
    expect(console.locator(".facts")).to_contain_text("Builtin")

    console.once("dialog", lambda dialog: dialog.accept())
    console.get_by_role("button", name="Remove").click()
    expect(console.locator(".notice")).to_have_text("You removed the language model setting.")
    expect(console.get_by_text("Nothing is stored")).to_be_visible()


def test_the_preview_shows_the_typed_texts_and_sends_no_question(console: Page) -> None:
    console.goto("/console/settings/widget")
    asked: list[str] = []
    console.on("request", lambda request: asked.append(request.url))

    console.get_by_label("Greeting").fill("<b>What</b> now?")
    console.get_by_label("Placeholder").fill("Where am I?")

    preview = console.locator("ask-ai")
    expect(preview.locator("label")).to_have_text("<b>What</b> now?")
    expect(preview.locator("input")).to_have_attribute("placeholder", "Where am I?")
    preview.get_by_text("Ask", exact=True).click(force=True)
    console.get_by_label("Greeting").fill("")
    expect(preview.locator("label")).to_have_text("Ask about your account")
    # A browser may load the icon of the page late.
    assert [url for url in asked if "/favicon.svg" not in url] == []


def test_metadata_are_added_changed_and_removed(console: Page, service: Service) -> None:
    alice = service.sign_up()
    console.goto(f"/console/users/{user_id(service, alice)}")
    panel, notice = console.locator("#metadata"), console.locator(".notice")

    panel.get_by_text("Add a key", exact=True).click()
    panel.get_by_label("Name").fill("plan")
    panel.get_by_label("Value, as JSON").fill('{"name": "gold"}')
    panel.get_by_role("button", name="Add").click()
    expect(notice).to_have_text("You set the metadata key plan.")

    panel.get_by_text("Change").click()
    panel.get_by_label("New value").fill("7")
    panel.get_by_role("button", name="Save").click()
    expect(panel.locator("summary").first).to_contain_text("7")

    panel.get_by_text("Change").click()
    console.once("dialog", lambda dialog: dialog.dismiss())
    panel.get_by_role("button", name="Remove").click()
    console.once("dialog", lambda dialog: dialog.accept())
    panel.get_by_role("button", name="Remove").click()
    expect(notice).to_have_text("You removed the metadata key plan.")
    expect(panel).to_contain_text("No metadata")


@TAKES_LONG
def test_the_pages_fit_a_phone_and_are_accessible_in_both_schemes(
    console: Page, service: Service, olivia: Visitor
) -> None:
    user = f"users/{user_id(service, olivia)}"
    for scheme, width in (("light", 360), ("dark", 1280)):
        console.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of two words
        console.set_viewport_size({"width": width, "height": 800})
        for path in ("settings/llm", "settings/database", "settings/widget", "operators", user):
            console.goto(f"/console/{path}")
            for part in console.locator("main details").all():
                part.evaluate("(part) => { part.open = true; }")
            assert fits(console), (path, width)
            assert [text for text in texts(console) if text.contrast < 4.5] == [], (path, scheme)
            assert faults(console) == [], (path, scheme)
