"""Mailed links, the offer of a passkey and the sign-up in Chromium. `test_pages_walk.py` looks at each of these pages."""

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as NotInTime

from tests.client import PASSWORD

from .conftest import OpenPage
from .service import Service, Visitor
from .test_passkeys import PLATFORM, VirtualAuthenticator

pytestmark = pytest.mark.once

NEW = "another good password"
PATIENCE_WITH_CHROMIUM = 4_000
"""The milliseconds in which a browser that makes passkeys without a question has made one."""
MAGIC_LINK = "/mail/magic-link"

# Chromium answers a conditional creation only with its own password manager. The page gets the usual answer instead.
CONDITIONAL = """
  PublicKeyCredential.getClientCapabilities = async () => ({ conditionalCreate: true });
  const create = navigator.credentials.create.bind(navigator.credentials);
  navigator.credentials.create = ({ mediation, ...options }) => {
    window.mediation = mediation;
    return create(options);
  };
"""
NO_CONDITIONAL = "PublicKeyCredential.getClientCapabilities = async () => ({ conditionalCreate: false });"


@pytest.fixture
def alice(service: Service) -> Visitor:
    """A user with an account."""
    return service.sign_up()


def mailed_token(service: Service, visitor: Visitor) -> str:
    service.post("/v1/magic-link/request", {"email": visitor.email})
    return service.token_mailed_to(visitor.email)


def reset_token(service: Service, visitor: Visitor) -> str:
    service.post("/v1/password/forgot", {"email": visitor.email})
    return service.token_mailed_to(visitor.email)


def sign_in(page: Page, visitor: Visitor) -> None:
    page.goto("/sign-in")
    expect(page.get_by_label("E-mail address")).to_be_focused()
    page.keyboard.type(visitor.email)
    page.keyboard.press("Enter")
    expect(page.get_by_label("Password", exact=True)).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")


def test_an_opened_link_shows_its_account_spends_nothing_and_leaves_no_token(
    page: Page, service: Service, alice: Visitor
) -> None:
    token = mailed_token(service, alice)
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url + str(request.headers.get("referer", ""))))

    page.goto(f"{MAGIC_LINK}#token={token}")

    expect(page.get_by_text(alice.email)).to_be_visible()
    assert page.evaluate("location.href").endswith(MAGIC_LINK)
    assert not any(token in url for url in urls)
    page.go_back()
    assert token not in page.evaluate("location.href")
    assert service.post("/v1/magic-link/complete", {"token": token}).status == 200


def test_a_link_signs_in_after_a_click_with_the_keyboard_and_a_second_link_opens_in_the_same_tab(
    page: Page, service: Service, alice: Visitor
) -> None:
    bob = service.sign_up()
    first, second = mailed_token(service, bob), mailed_token(service, alice)
    page.goto(f"{MAGIC_LINK}#token={first}")
    expect(page.get_by_text(bob.email)).to_be_visible()

    # A link to the open page changes only the fragment.
    page.evaluate("(token) => { location.hash = `token=${token}`; }", second)
    expect(page.get_by_text(alice.email)).to_be_visible()
    page.get_by_role("button", name="Sign in on this device").focus()
    page.keyboard.press("Enter")

    page.wait_for_url("**/account/")
    expect(page.get_by_text(alice.email).first).to_be_visible()


def test_a_link_signs_in_the_browser_that_asked_without_a_click(page: Page, service: Service, alice: Visitor) -> None:
    page.goto("/sign-in/mail")
    page.get_by_label("E-mail address").fill(alice.email)
    page.keyboard.press("Enter")
    expect(page.get_by_label("Code")).to_be_visible()

    page.goto(f"{MAGIC_LINK}#token={service.token_mailed_to(alice.email)}")

    page.wait_for_url("**/account/")


def test_without_javascript_a_person_pastes_the_link_and_sets_a_password(
    open_page: OpenPage, service: Service, alice: Visitor
) -> None:
    page = open_page(java_script_enabled=False)
    link = f"{service.url}/mail/password-reset#token={reset_token(service, alice)}"

    page.goto(link)
    page.get_by_label("Link from the mail").fill(link)
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("New password").fill(NEW)
    page.get_by_role("button", name="Set the password").click()

    expect(page.get_by_role("heading")).to_have_text(["Your password is set"])
    assert service.post("/v1/login", {"email": alice.email, "password": NEW}).status == 200


def test_the_password_of_a_sign_up_can_be_shown_and_is_sent_hidden(page: Page) -> None:
    page.goto("/sign-up")
    password = page.get_by_label("Password", exact=True)
    password.fill(PASSWORD)

    page.get_by_role("button", name="Show").click()
    expect(password).to_have_attribute("type", "text")
    page.get_by_role("button", name="Hide").click()

    expect(password).to_have_attribute("type", "password")


def test_a_passkey_manager_makes_a_passkey_without_a_question(page: Page, alice: Visitor) -> None:
    authenticator = VirtualAuthenticator.add_to(page, PLATFORM)
    page.add_init_script(CONDITIONAL)

    sign_in(page, alice)

    page.wait_for_url("**/account/")
    expect(page.get_by_text("A passkey was saved.")).to_be_visible()
    assert len(authenticator.credentials()) == 1


def test_chromium_itself_makes_a_passkey_without_a_question(page: Page, alice: Visitor) -> None:
    authenticator = VirtualAuthenticator.add_to(page, PLATFORM)

    sign_in(page, alice)
    try:
        page.wait_for_url("**/account/", timeout=PATIENCE_WITH_CHROMIUM)
    except NotInTime:
        browser = page.context.browser
        pytest.skip(
            f"Chromium {browser.version if browser else ''} waits for its own password manager: no virtual authenticator "
            "answers a conditional creation. The test before plays the answer."
        )

    assert len(authenticator.credentials()) == 1


def test_a_person_makes_a_passkey_with_the_button_and_signs_in_with_it(page: Page, alice: Visitor) -> None:
    VirtualAuthenticator.add_to(page, PLATFORM)
    page.add_init_script(NO_CONDITIONAL)
    sign_in(page, alice)

    page.get_by_role("button", name="Create a passkey").click()
    expect(page.get_by_role("heading")).to_have_text(["Your passkey is saved"])
    page.get_by_role("link", name="Continue").click()
    page.wait_for_url("**/account/")

    page.context.clear_cookies()
    # The authenticator answers the offer in the field of the address at once.
    page.goto("/sign-in")
    page.wait_for_url("**/account/")


def test_the_offer_without_javascript_leads_on(open_page: OpenPage, alice: Visitor) -> None:
    page = open_page(java_script_enabled=False)
    sign_in(page, alice)

    assert page.locator("noscript > p").inner_text() == "A passkey needs JavaScript."
    page.get_by_role("link", name="Not now").click()

    page.wait_for_url("**/account/")
