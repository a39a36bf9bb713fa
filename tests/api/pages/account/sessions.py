"""Sessions of browsers at the pages of the account."""

from datetime import timedelta

from core.clock import now
from pages.models import BrowserSession
from sessions_app.models import Family
from tests.pages import Browser, signed_in
from tests.people import Person

AGE = timedelta(minutes=20)
"""The age of a sign-in that is no recent login any more."""


def old_session(person: Person, *, age: timedelta = AGE) -> Browser:
    """Return a browser whose sign-in is this long ago."""
    browser = signed_in(person)
    rows = Family.objects.filter(pk__in=BrowserSession.objects.values("pk"), account_id=person.account().pk)
    rows.update(authenticated_at=now() - age)
    return browser


def confirm(browser: Browser, person: Person) -> Browser:
    """Confirm with the password on the page to which the answer leads, and follow to the page of before."""
    browser.follow()
    return browser.submit("authsvc-confirm-password", password=person.password).follow()


def notice(browser: Browser) -> str:
    """Follow the redirect, and return the notice of the next page."""
    text = browser.follow().text
    return text.partition('<p class="notice" role="status">')[2].partition("</p>")[0]
