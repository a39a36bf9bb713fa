"""The language of the pages: the choice of the operator, else that of the browser, else that of the account, else English."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from mail.languages import ENGLISH, LANGUAGES, find_accepted, find_named

from .cookies import keep_choice

COOKIE = "gatehouse-language"
NAMES: Mapping[str, str] = {"en": "English", "de": "Deutsch", "fr": "Français", "es": "Español", "ja": "日本語"}
"""The name of each language in the language itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A language that the foot of a page offers."""

    code: str
    name: str
    is_chosen: bool


def find_language(request: HttpRequest) -> str | None:
    """Return the language of the browser's cookie, or else of its header `Accept-Language`. Return None without both."""
    if not settings.USE_I18N:
        return ENGLISH
    chosen = request.COOKIES.get(COOKIE, "")
    return chosen if chosen in LANGUAGES else find_accepted(request.headers.get("Accept-Language", ""))


def language_of(locale: object) -> str:
    """Return the language that the `locale` in the account's metadata names, or else English."""
    return find_named(locale) or ENGLISH


def offers(language: str) -> Sequence[Offer]:
    """Return all languages. The page has this language. Without Django's translations, return none."""
    if not settings.USE_I18N:
        return ()
    return [Offer(code=code, name=NAMES[code], is_chosen=code == language) for code in LANGUAGES]


def keep_language(response: HttpResponse, language: str) -> None:
    """Let the browser keep the language."""
    keep_choice(response, name=COOKIE, value=language)
