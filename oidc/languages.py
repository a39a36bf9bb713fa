"""The language that an application asks for (OpenID Connect Core, section 3.1.2.1: `ui_locales`)."""

from django.http import HttpRequest

from mail.languages import find_named
from pages.frame.languages import COOKIE


def choose_language(request: HttpRequest, ui_locales: str) -> str | None:
    """Return the first known language of `ui_locales`. Return None without one, and when the person chose a language."""
    if COOKIE in request.COOKIES:
        return None
    return next(filter(None, (find_named(locale) for locale in ui_locales.split())), None)
