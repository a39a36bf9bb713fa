"""An operator at the pages and at the console in Chromium."""

import psycopg
from playwright.sync_api import Page, expect

from tests.client import PASSWORD

from .service import Service, Visitor


def make_operator(service: Service) -> Visitor:
    """Make an operator without a second factor, who has seen the offer of a passkey."""
    visitor = service.sign_up()
    user_id = service.get("/v1/verify", token=visitor.access).data["user_id"]
    with psycopg.connect(service.database_url) as session:
        session.execute("INSERT INTO authsvc_console_operator VALUES (%s, 'admin', now())", [user_id])
        session.execute("INSERT INTO authsvc_pages_passkeyoffer VALUES (%s, now())", [user_id])
    return visitor


def sign_in(page: Page, operator: Visitor) -> None:
    """Send the address and the password."""
    page.get_by_label("E-mail address").fill(operator.email)
    page.get_by_role("button", name="Continue", exact=True).click()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def expect_heading(page: Page, heading: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)


def enter_console(page: Page, service: Service, operator: Visitor, path: str = "/console/") -> None:
    """Sign in, and open the path. The session counts as one with a second factor."""
    page.goto("/sign-in")
    sign_in(page, operator)
    page.wait_for_url(lambda url: not url.endswith("/sign-in"))
    with psycopg.connect(service.database_url) as session:
        session.execute("UPDATE authsvc_pages_browsersession SET has_factor = true")
    page.goto(path)
