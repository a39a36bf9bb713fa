"""The paths to which a page leads, such as the page that a sign-in leads to."""

import re
from urllib.parse import urlencode, urlsplit

from django.http import HttpRequest
from django.urls import reverse

from ..conf import settings
from ..return_addresses import is_permitted

NEXT_MAX = 2_000
"""The maximum length of the path to which a sign-in leads, in characters."""

# A path of printable ASCII characters. Browsers read a backslash as a slash, and drop control characters.
_PATH = re.compile(r"/[!-\[\]-~]*")


def home() -> str:
    """Return the path of the page of the account, to which a sign-in leads by default."""
    return reverse("authsvc-account")


def own_page(text: str) -> str:
    """Return the path and query when they lead to a page of this site, or else the path of the account's page."""
    return text if is_own_page(text) else home()


def is_own_page(text: str) -> bool:
    """Return whether the text is the path and query of a page of this site.

    The text may come from anyone, so a path that a browser could read as another site is refused.
    """
    path = text.partition("?")[0]
    return "//" not in path and ".." not in path and len(text) <= NEXT_MAX and _PATH.fullmatch(text) is not None


def place_after_sign_in(text: str) -> str:
    """Return the text when it is a path of this site or an address in RETURN_TO, or else the path of the account's page."""
    return text if is_elsewhere(text) else own_page(text)


def is_elsewhere(text: str) -> bool:
    """Return whether the text is an address in RETURN_TO, which is of an application."""
    return is_permitted(text, listed=settings().return_to)


def page_of(request: HttpRequest) -> str:
    """Return the page to show again after a detour. For a form it is the page that contains the form."""
    if request.method in ("GET", "HEAD"):
        return own_page(request.get_full_path())
    try:
        shown = urlsplit(request.headers.get("Referer", ""))
    except ValueError:
        return home()
    return own_page(f"{shown.path}?{shown.query}" if shown.query else shown.path)


def with_next(name: str, *, page: str, **parameters: str) -> str:
    """Return the path of the named page, with the parameters. The page later leads to `page`."""
    path = reverse(name)
    query = urlencode(parameters if page == home() else {"next": page, **parameters})
    return f"{path}?{query}" if query else path
