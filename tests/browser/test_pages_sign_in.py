"""The sign-in on the pages in Chromium: by each way, without a script, by keyboard alone, and in each look."""

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.client import PASSWORD
from tests.mails import read, text_of
from tests.placement import TAKES_LONG
from tests.processes.running import until
from tests.second_factors import App, app_of

from .conftest import OpenPage
from .looks import faults, fits, texts
from .service import Service, Visitor
from .test_passkeys import PLATFORM, VirtualAuthenticator
from .test_passkeys import SCRIPT as STEPS
from .test_passkeys_alone import touch

pytestmark = pytest.mark.once

CONTRAST_MIN = 4.5


@pytest.fixture
def alice(service: Service) -> Visitor:
    """Alice, who has an account and no second factor."""
    return service.sign_up()


def expect_heading(page: Page, heading: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)


def type_address(page: Page, email: str, *, path: str = "/sign-in") -> None:
    """Open the sign-in, and send the address."""
    page.goto(path)
    page.get_by_label("E-mail address").fill(email)
    page.get_by_role("button", name="Continue", exact=True).click()
    expect(page.get_by_label("Password")).to_be_focused()


def type_password(page: Page, password: str = PASSWORD) -> None:
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def decline_offer(page: Page) -> None:
    """Decline the offer of a passkey, which comes once after a login by password."""
    expect_heading(page, "Sign in without a password next time?")
    page.get_by_role("link", name="Not now").click()


def register_passkey(page: Page, service: Service, visitor: Visitor) -> VirtualAuthenticator:
    """Register a passkey in the browser. Its user does not touch it later, until a test says so."""
    body = f"<!doctype html><script>{STEPS}</script>"
    page.route(f"{service.url}/a-page", lambda route: route.fulfill(content_type="text/html", body=body))
    page.goto("/a-page")
    authenticator = VirtualAuthenticator.add_to(page, PLATFORM)
    assert page.evaluate("register", {"token": visitor.access, "nickname": ""})["status"] == 200
    touch(authenticator, enabled=False)
    return authenticator


def mailed_code(service: Service, email: str) -> str:
    """Return the code of the mail to the address."""

    def codes() -> list[str]:
        found = (re.search(r"instead: (\d{6})\n", text_of(mail)) for mail in read(service.mails, to=email))
        return [one[1] for one in found if one]

    return str(until(codes, what=f"a code for {email}")[-1])


def enrol_app(service: Service, visitor: Visitor) -> App:
    """Enrol an authenticator app."""
    app = app_of(service.post("/v1/totp/enroll", token=visitor.access).data["otpauth_url"])
    assert service.post("/v1/totp/confirm", {"code": app.code()}, token=visitor.access).status == 200
    return app


def test_the_autofill_of_the_address_signs_in_with_a_passkey(page: Page, service: Service, alice: Visitor) -> None:
    # The virtual authenticator answers only a request that begins while its user is present.
    touch(register_passkey(page, service, alice), enabled=True)

    page.goto("/sign-in?next=/sign-out")

    expect_heading(page, "Sign out?")
    expect(page.get_by_text(alice.email)).to_be_visible()


def test_a_passkey_signs_in_by_its_button_and_as_the_second_step(page: Page, service: Service, alice: Visitor) -> None:
    authenticator = register_passkey(page, service, alice)
    type_address(page, alice.email, path="/sign-in?next=/sign-out")
    touch(authenticator, enabled=True)
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect_heading(page, "Sign out?")
    touch(authenticator, enabled=False)
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()

    type_address(page, alice.email, path="/sign-in?next=/sign-out")
    type_password(page)
    expect_heading(page, "Two-step verification")
    touch(authenticator, enabled=True)
    page.get_by_role("button", name="Use a passkey").click()
    expect_heading(page, "Sign out?")

    page.goto("/confirm?next=/sign-out")
    page.get_by_role("button", name="Use a passkey").click()
    expect_heading(page, "Sign out?")


def test_a_person_signs_in_by_a_mailed_code_without_a_script(
    open_page: OpenPage, service: Service, alice: Visitor
) -> None:
    page = open_page(java_script_enabled=False)
    page.goto("/sign-in?next=/sign-out")
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_hidden()
    page.get_by_label("E-mail address").fill(alice.email)
    page.get_by_role("button", name="Continue", exact=True).click()
    page.get_by_role("button", name="Get a code by e-mail").click()
    expect_heading(page, "Look into your mailbox")

    page.get_by_label("Code from the mail").fill(mailed_code(service, alice.email))
    page.get_by_role("button", name="Sign in", exact=True).click()

    expect_heading(page, "Sign out?")
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()


def press(page: Page, control: Locator) -> None:
    """Move to the control by the tabulator, and press it."""
    while not control.evaluate("(element) => element === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")


def test_a_person_signs_in_by_keyboard_alone(page: Page, service: Service, alice: Visitor) -> None:
    app = enrol_app(service, alice)
    page.goto("/sign-in?next=/sign-out")

    expect(page.get_by_label("E-mail address")).to_be_focused()
    page.keyboard.type(alice.email)
    page.keyboard.press("Enter")
    expect(page.get_by_label("Password")).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_label("Code from your authenticator app")).to_be_focused()
    page.keyboard.type(app.code(steps=1))
    page.keyboard.press("Enter")
    expect_heading(page, "Sign in without a password next time?")
    press(page, page.get_by_role("link", name="Not now"))
    expect_heading(page, "Sign out?")
    press(page, page.get_by_role("main").get_by_role("button", name="Sign out"))

    expect(page.get_by_text("You are signed out.")).to_be_visible()


@pytest.mark.parametrize("is_scripted", [True, False], ids=["with scripts", "without scripts"])
def test_forms_lead_to_an_application_and_to_a_provider(
    browser: Browser, service: Service, alice: Visitor, is_scripted: bool
) -> None:
    # The policy of the pages permits forms and their redirects to the own origin alone.
    with browser.new_context(base_url=service.url, java_script_enabled=is_scripted) as context:
        for place in ("https://app.example/**", "https://github.com/**"):
            context.route(place, lambda route: route.fulfill(content_type="text/html", body="<h1>Elsewhere</h1>"))
        page = context.new_page()
        page.goto("/sign-in")
        page.get_by_role("button", name="Continue with GitHub").click()
        expect_heading(page, "Elsewhere")
        assert page.url.startswith("https://github.com/login/oauth/authorize?")

        type_address(page, alice.email, path="/sign-in?return_to=https://app.example/signed-in?tab=a")
        type_password(page)
        decline_offer(page)
        expect_heading(page, "Elsewhere")
        assert page.url == "https://app.example/signed-in?tab=a"


def states(page: Page, *, address: str, visitor: Visitor) -> Iterator[str]:
    """Bring the page into each state of the sign-in in turn. Yield the name of the state."""
    page.goto("/sign-in")
    expect_heading(page, "Sign in")
    yield "address"
    type_address(page, address)
    yield "ways"
    type_password(page, "wrong")
    expect(page.get_by_role("alert").filter(has_text="not correct")).to_be_visible()
    yield "wrong-password"
    page.get_by_role("button", name="Get a code by e-mail").click()
    expect_heading(page, "Look into your mailbox")
    yield "mailed"
    page.get_by_label("Code from the mail").fill("000000")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text="This code is not correct")).to_be_visible()
    yield "wrong-code"
    page.goto("/sign-in/mail")
    expect_heading(page, "Sign in by e-mail")
    yield "mail-me"
    page.goto("/sign-in?entered=1")
    expect(page.get_by_role("alert").filter(has_text="cookie")).to_be_visible()
    yield "cookies-off"
    page.goto("/sign-in?return_to=https://eve.example/")
    expect_heading(page, "This request is not valid")
    yield "return-refused"
    type_address(page, visitor.email)
    type_password(page)
    expect_heading(page, "Two-step verification")
    yield "second-step"
    page.get_by_label("Code from your authenticator app").fill("000000")
    page.get_by_role("button", name="Continue").first.click()
    expect(page.get_by_role("alert").filter(has_text="The code is")).to_be_visible()
    yield "wrong-second-step"


def states_inside(page: Page, visitor: Visitor) -> Iterator[str]:
    """Bring the page of a signed-in person into each state in turn. Yield the name of the state."""
    type_address(page, visitor.email, path="/sign-in?next=/sign-out")
    type_password(page)
    decline_offer(page)
    expect_heading(page, "Sign out?")
    yield "sign-out"
    page.goto("/confirm")
    expect_heading(page, "Confirm that it is you")
    yield "confirm"


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (360, "dark"),
        (1280, "light"),
        pytest.param(360, "light", marks=TAKES_LONG),
        pytest.param(1280, "dark", marks=TAKES_LONG),
    ],
)
def test_each_state_is_legible_and_has_no_serious_fault(
    browser: Browser, service: Service, alice: Visitor, scheme: str, width: int
) -> None:
    bob = service.sign_up()
    enrol_app(service, bob)
    # The fixture `open_page` would report the pages of refused sign-ins as faults.
    look: dict[str, Any] = {"color_scheme": scheme, "viewport": {"width": width, "height": 800}}
    with browser.new_context(base_url=service.url, **look) as context:
        page = context.new_page()
        for name in chain(states(page, address=alice.email, visitor=bob), states_inside(page, alice)):
            assert fits(page), name
            assert min(found.contrast for found in texts(page)) >= CONTRAST_MIN, name
            assert faults(page) == [], name
