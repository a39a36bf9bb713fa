"""The browser that asked for a link by mail. A cookie tells it apart from the other browsers in which the link may open.

The cookie contains a keyed digest of the address. So a link for this address signs the browser in without a further
click. In each other browser the person first reads for which account, and which device asked. The cookie also contains
the page to which the sign-in leads.
"""

import hmac
from datetime import timedelta
from urllib.parse import quote, unquote

from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from core.addresses import email_key
from sessions_app.conf import settings

from . import cookies, navigation

_SEPARATOR = "|"


def remember(response: HttpResponse, *, email: str, following: str) -> None:
    """Let the browser keep that it asked for a link to the address, as long as the link works.

    `following` is the page to which the sign-in leads.
    """
    value = f"{_digest(email)}{_SEPARATOR}{quote(following)}"
    lifetime = timedelta(seconds=settings().magic_link_seconds)
    cookies.keep(response, name=cookie_name(), value=value, lifetime=lifetime)


def is_remembered(request: HttpRequest, *, email: str) -> bool:
    """Return whether this browser asked for a link to the address."""
    digest = request.COOKIES.get(cookie_name(), "").partition(_SEPARATOR)[0]
    return hmac.compare_digest(digest.encode(), _digest(email).encode())


def following_of(request: HttpRequest) -> str:
    """Return the page to which a sign-in of this browser leads. It is that of the account without a cookie."""
    return navigation.place_after_sign_in(unquote(request.COOKIES.get(cookie_name(), "").partition(_SEPARATOR)[2]))


def forget(response: HttpResponse) -> None:
    """Let the browser forget that it asked."""
    cookies.forget(response, name=cookie_name())


def cookie_name() -> str:
    """Return the name of the cookie."""
    return cookies.bound_name("gatehouse-link")


def _digest(email: str) -> str:
    return salted_hmac("authsvc.asked_link", email_key(email), algorithm="sha256").hexdigest()
