"""Mailed links in a browser: the paste of a link, which is what the page's script does too."""

import re
from email.message import EmailMessage
from urllib.parse import urlsplit

from tests.mails import text_of
from tests.pages import Browser


def link_in(message: EmailMessage) -> str:
    """Return the link in the mail."""
    found = re.search(r"http://localhost:8000/\S+#token=[A-Za-z0-9_-]{43}\b", text_of(message))
    assert found is not None, text_of(message)
    return found[0]


def follow_link(browser: Browser, link: str) -> Browser:
    """Open the link's page, and send the link as the page's script or a person does."""
    path = urlsplit(link).path
    browser.open(path)
    return browser.submit(path, token=link)
