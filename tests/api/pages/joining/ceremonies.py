"""The ceremony of a new passkey, as the script of the page performs it."""

from typing import Any

from orjson import dumps

from tests.authenticator import Authenticator
from tests.pages import Browser


def begin(browser: Browser, **fields: str) -> Any:
    """Begin the ceremony of the page's form. Return the options with the token."""
    form = browser.form("authsvc-passkey-offer")
    page, url = browser.page, browser.url
    answer = browser.send("authsvc-passkey-offer-begin", {**form.fields, **fields}).page
    browser.page, browser.url = page, url
    return answer.json()["data"]


def finish(browser: Browser, ceremony: Any, authenticator: Authenticator, **fields: str) -> Browser:
    """Send the new passkey of the authenticator."""
    credential = dumps(authenticator.create(ceremony["public_key"])).decode()
    return browser.submit(
        "authsvc-passkey-offer", ceremony_token=ceremony["ceremony_token"], credential=credential, **fields
    )
