"""The language of the pages: the choice of the person, else that of an application, of the browser, or of the account.

Without all of them, the language is English.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from mail.languages import ENGLISH, LANGUAGES, find_accepted, find_named

from .cookies import forget, keep, keep_choice

COOKIE = "gatehouse-language"
ASKED_COOKIE = "gatehouse-language-asked"
"""The language that an application asks for, while a person signs in to this application."""
ASKED_LIFETIME = timedelta(hours=1)
NAMES: Mapping[str, str] = {"en": "English", "de": "Deutsch", "fr": "Français", "es": "Español", "ja": "日本語"}
"""The name of each language in the language itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A language that the foot of a page offers."""

    code: str
    name: str
    is_chosen: bool


def find_language(request: HttpRequest) -> str | None:
    """Return the language of the browser's cookie, that of an application, or else of the header `Accept-Language`.

    Return None without all three.
    """
    if not settings.USE_I18N:
        return ENGLISH
    known = (request.COOKIES.get(cookie) for cookie in (COOKIE, ASKED_COOKIE))
    stated = next((language for language in known if language in LANGUAGES), None)
    return stated or find_accepted(request.headers.get("Accept-Language", ""))


def language_of(locale: object) -> str:
    """Return the language that the `locale` in the account's metadata names, or else English."""
    return find_named(locale) or ENGLISH


def offers(language: str) -> Sequence[Offer]:
    """Return all languages. The page has this language. Without Django's translations, return none."""
    if not settings.USE_I18N:
        return ()
    return [Offer(code=code, name=NAMES[code], is_chosen=code == language) for code in LANGUAGES]


def keep_asked_language(response: HttpResponse, language: str) -> None:
    """Let the pages have the language that an application asks for, until the person is back at the application.

    The language that the person chose comes first.
    """
    keep(response, name=ASKED_COOKIE, value=language, lifetime=ASKED_LIFETIME)


def forget_asked_language(request: HttpRequest, response: HttpResponse) -> None:
    """Let the pages have the language of the person again."""
    if ASKED_COOKIE in request.COOKIES:
        forget(response, name=ASKED_COOKIE)


def keep_language(response: HttpResponse, language: str) -> None:
    """Let the browser keep the language."""
    keep_choice(response, name=COOKIE, value=language)
