"""The behaviour of the pages behind mailed links. `tests/api/accounts/test_mail_pages.py` tests their content."""

import secrets
from dataclasses import dataclass

import psycopg
import pytest
from playwright.sync_api import Page, Route, expect

from tests.client import PASSWORD
from tests.placement import TAKES_LONG
from tests.second_factors import app_of

from .conftest import OpenPage
from .looks import fits, texts
from .service import Service, Visitor

# The tests of the API cover the pages on both databases.
pytestmark = pytest.mark.once

AGE = "UPDATE authsvc_accounts_mailtoken SET created_at = '2001-01-01 00:00:00', expires_at = '2001-01-02 00:00:00'"
END_WAIT = "UPDATE authsvc_mfa_accountrecovery SET ready_at = requested_at, due_at = requested_at"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One of the two kinds of mailed link, and the texts of its page."""

    path: str
    endpoint: str
    ask: str
    done: str
    noscript: str
    has_password: bool

    def token(self, service: Service, visitor: Visitor) -> str:
        """Mail a link of this kind to the visitor and return its token."""
        if self is MAGIC_LINK:
            service.post("/v1/magic-link/request", {"email": visitor.email})
            return service.token_mailed_to(visitor.email)
        address = f"{secrets.token_hex(4)}@example.com"
        service.post("/v1/email/request-change", {"new_email": address}, token=visitor.access)
        return service.token_mailed_to(address)


MAGIC_LINK = Link(
    path="/mail/magic-link",
    endpoint="/v1/magic-link/complete",
    ask="Sign in",
    done="You are signed in",
    noscript="This page needs JavaScript to sign you in.",
    has_password=False,
)
EMAIL_CHANGE = Link(
    path="/mail/email-change",
    endpoint="/v1/email/confirm-change",
    ask="Confirm the address",
    done="Your address is confirmed",
    noscript="This page needs JavaScript to confirm your address.",
    has_password=True,
)
each_link = pytest.mark.parametrize("link", [MAGIC_LINK, EMAIL_CHANGE], ids=lambda link: link.path)


@pytest.fixture
def alice(service: Service) -> Visitor:
    """A user with an account."""
    return service.sign_up()


def open_link(page: Page, link: Link, token: str) -> None:
    page.goto(f"{link.path}#token={token}")
    expect(page.get_by_role("button", name=link.ask)).to_be_visible()


def click_by_keyboard(page: Page, link: Link) -> None:
    page.keyboard.press("Tab")
    if link.has_password:
        expect(page.get_by_label("Password (optional)")).to_be_focused()
        page.keyboard.press("Tab")
    expect(page.get_by_role("button", name=link.ask)).to_be_focused()
    page.keyboard.press("Enter")


def expect_message(page: Page, heading: str) -> None:
    """Expect one heading with this text and with the focus, so that a screen reader reads it aloud."""
    expect(page.get_by_role("heading")).to_have_text([heading])
    expect(page.get_by_role("heading")).to_be_focused()


@each_link
def test_opening_a_link_sends_no_post_and_does_not_use_the_token(
    page: Page, service: Service, alice: Visitor, link: Link
) -> None:
    token = link.token(service, alice)
    methods: list[str] = []
    page.on("request", lambda request: methods.append(request.method))

    open_link(page, link, token)
    page.wait_for_load_state("networkidle")

    assert set(methods) == {"GET"}
    assert service.post(link.endpoint, {"token": token}).status == 200


@each_link
def test_a_link_can_be_confirmed_with_the_keyboard_alone(
    page: Page, service: Service, alice: Visitor, link: Link
) -> None:
    token = link.token(service, alice)
    open_link(page, link, token)

    with page.expect_response(f"**{link.endpoint}") as answered:
        click_by_keyboard(page, link)

    assert (answered.value.request.method, answered.value.request.post_data_json) == ("POST", {"token": token})
    expect_message(page, link.done)
    assert service.post(link.endpoint, {"token": token}).code == "verification_token_invalid"


def test_the_page_shows_valid_tokens_to_developers(page: Page, service: Service, alice: Visitor) -> None:
    open_link(page, MAGIC_LINK, MAGIC_LINK.token(service, alice))
    click_by_keyboard(page, MAGIC_LINK)

    page.get_by_text("Tokens, for developers").click()

    access = page.get_by_label("Access token").input_value()
    refresh = page.get_by_label("Refresh token").input_value()
    assert len(service.get("/v1/sessions", token=access).data) == 1  # the first link took the account over
    assert service.post("/v1/refresh", {"refresh_token": refresh}).status == 200


def test_the_magic_link_page_names_the_second_factor_that_is_still_needed(
    page: Page, service: Service, alice: Visitor
) -> None:
    app = app_of(service.post("/v1/totp/enroll", token=alice.access).data["otpauth_url"])
    assert service.post("/v1/totp/confirm", {"code": app.code()}, token=alice.access).status == 200
    open_link(page, MAGIC_LINK, MAGIC_LINK.token(service, alice))

    click_by_keyboard(page, MAGIC_LINK)

    expect_message(page, "One more step")
    expect(page.get_by_role("listitem")).to_have_text(["a code from your authenticator app"])


@each_link
def test_the_page_shows_that_a_link_was_already_used(page: Page, service: Service, alice: Visitor, link: Link) -> None:
    token = link.token(service, alice)
    service.post(link.endpoint, {"token": token})
    open_link(page, link, token)

    click_by_keyboard(page, link)

    expect_message(page, "That did not work")
    expect(page.get_by_text(service.post(link.endpoint, {"token": token}).body["error"]["message"])).to_be_visible()


@each_link
def test_the_page_shows_that_a_link_has_expired(page: Page, service: Service, alice: Visitor, link: Link) -> None:
    token = link.token(service, alice)
    execute(service.database_url, AGE)
    open_link(page, link, token)

    click_by_keyboard(page, link)

    expect_message(page, "That did not work")
    refusal = service.post(link.endpoint, {"token": token})
    assert refusal.code == "verification_token_expired"
    expect(page.get_by_text(refusal.body["error"]["message"])).to_be_visible()


def execute(database_url: str, statement: str) -> None:
    with psycopg.connect(database_url) as session:
        session.execute(statement)


@each_link
def test_the_page_shows_an_outage_and_the_user_can_try_again(
    page: Page, service: Service, alice: Visitor, link: Link
) -> None:
    def break_off(route: Route) -> None:
        route.abort()

    page.route(f"**{link.endpoint}", break_off)
    open_link(page, link, link.token(service, alice))
    click_by_keyboard(page, link)
    expect(page.get_by_role("alert")).to_have_text("The service could not be reached. Try again in a moment.")

    page.unroute(f"**{link.endpoint}", break_off)
    page.get_by_role("button", name=link.ask).press("Enter")

    expect_message(page, link.done)


@each_link
def test_a_page_without_a_token_shows_no_button(page: Page, link: Link) -> None:
    page.goto(link.path)

    expect_message(page, "There is no link here")
    expect(page.get_by_role("button")).to_have_count(0)


@each_link
def test_the_page_removes_the_token_from_the_address_and_the_history(page: Page, link: Link) -> None:
    page.goto("/v1/health")

    open_link(page, link, "x" * 43)

    assert page.evaluate("location.href").endswith(link.path)
    page.go_back()
    page.go_forward()
    assert page.evaluate("location.href").endswith(link.path)


@each_link
def test_without_javascript_the_page_says_that_it_needs_javascript(open_page: OpenPage, link: Link) -> None:
    page = open_page(java_script_enabled=False)

    page.goto(f"{link.path}#token={'x' * 43}")

    assert page.locator("noscript > p").inner_text() == link.noscript
    expect(page.get_by_role("button")).to_have_count(0)


@TAKES_LONG
@each_link
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_are_readable_on_a_small_phone_in_light_and_dark_mode(
    page: Page, service: Service, alice: Visitor, link: Link, scheme: str
) -> None:
    def expect_readable() -> None:
        seen = texts(page)
        assert seen
        assert [text for text in seen if text.contrast < 4.5] == []
        assert fits(page)

    page.set_viewport_size({"width": 320, "height": 568})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")

    page.goto(link.path)
    expect_message(page, "There is no link here")
    expect_readable()

    open_link(page, link, "x" * 43)
    expect_readable()
    page.route(f"**{link.endpoint}", lambda route: route.abort(), times=1)
    click_by_keyboard(page, link)
    expect(page.get_by_role("alert")).not_to_be_empty()
    expect_readable()
    page.get_by_role("button", name=link.ask).press("Enter")
    expect_message(page, "That did not work")
    expect_readable()

    open_link(page, link, link.token(service, alice))
    click_by_keyboard(page, link)
    expect_message(page, link.done)
    for details in page.locator("summary:visible").all():
        details.click()
    expect_readable()


def test_the_verification_page_asks_for_the_password_until_it_is_right(
    page: Page, service: Service, alice: Visitor
) -> None:
    service.post("/v1/email/verify/request", token=alice.access)
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(f"/mail/verify-email#token={service.token_mailed_to(alice.email)}")
    password = page.get_by_label("Password")

    password.fill("wrong")
    password.press("Enter")

    expect(page.get_by_role("alert")).to_contain_text("not correct")
    assert [text for text in texts(page) if text.contrast < 4.5] == []
    assert fits(page)

    password.fill(PASSWORD)
    password.press("Enter")

    expect_message(page, "Your address is confirmed")


def test_the_page_of_an_email_change_takes_the_password_as_a_proof(
    page: Page, service: Service, alice: Visitor
) -> None:
    open_link(page, EMAIL_CHANGE, EMAIL_CHANGE.token(service, alice))
    password = page.get_by_label("Password (optional)")

    password.fill("wrong")
    password.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("The password is not correct.")

    password.fill(PASSWORD)
    password.press("Enter")
    expect_message(page, "Your address is confirmed")
    answer = service.post("/v1/email/verify/request", token=alice.access)
    assert answer.data == {"status": "email verified"}


def test_without_the_password_an_email_change_proves_nothing(page: Page, service: Service, alice: Visitor) -> None:
    open_link(page, EMAIL_CHANGE, EMAIL_CHANGE.token(service, alice))

    page.get_by_role("button", name="Confirm the address").click()

    expect_message(page, "Your address is confirmed")
    answer = service.post("/v1/email/verify/request", token=alice.access)
    assert answer.data == {"status": "verification sent"}


def test_a_page_shows_errors_in_the_language_of_the_browser(open_page: OpenPage) -> None:
    page = open_page(locale="de-CH")
    page.goto(f"/mail/magic-link#token={'x' * 43}")

    page.get_by_role("button", name="Anmelden").click()

    expect_message(page, "Das hat nicht funktioniert")
    expect(page.get_by_text("Dieser Link ist ungültig, wurde schon benutzt")).to_be_visible()


@pytest.mark.parametrize(
    ("path", "ask", "done"),
    [
        ("/mail/recovery-cancel", "Stop the recovery", "The recovery is stopped"),
        ("/mail/recovery-complete", "Remove the second factors", "Your second factors are removed"),
    ],
)
def test_the_pages_of_a_recovery_act_on_a_click(
    page: Page, service: Service, alice: Visitor, path: str, ask: str, done: str
) -> None:
    app = app_of(service.post("/v1/totp/enroll", token=alice.access).data["otpauth_url"])
    service.post("/v1/totp/confirm", {"code": app.code()}, token=alice.access)
    pending = service.post("/v1/login", {"email": alice.email, "password": PASSWORD}).data["pending_token"]
    assert service.post("/v1/recovery/request", {"pending_token": pending}).status == 200
    token = service.token_mailed_to(alice.email)
    if path == "/mail/recovery-complete":
        execute(service.database_url, END_WAIT)
        token = service.token_mailed_to(alice.email)
    page.set_viewport_size({"width": 320, "height": 568})

    page.goto(f"{path}#token={token}")
    assert [text for text in texts(page) if text.contrast < 4.5] == []
    assert fits(page)
    page.get_by_role("button", name=ask).click()

    expect_message(page, done)
    answer = service.post("/v1/login", {"email": alice.email, "password": PASSWORD})
    assert ("access_token" in answer.data) == (path == "/mail/recovery-complete")
