"""The system checks of the pages in a host site."""

from typing import Any

from django.conf import settings as django_settings
from django.core.checks import CheckMessage, Error
from django.core.checks import Warning as CheckWarning
from django.shortcuts import resolve_url
from django.template import TemplateDoesNotExist
from django.template.loader import get_template
from django.urls import NoReverseMatch, reverse

from core.http.mounting import find_path

from ..conf import settings

MIDDLEWARE = "sessions_app.site.django_sessions.LinkedSessionMiddleware"
_COOKIE_SESSIONS = "django.contrib.sessions.backends.signed_cookies"


def check_django_login(**_: Any) -> list[CheckMessage]:
    """Report a PAGES_DJANGO_LOGIN that the site cannot serve, and a LOGIN_URL that would lead in a circle."""
    if not settings().django_login:
        return _circle()
    found: list[CheckMessage] = []
    # The wheel has the package `gatehouse` in front.
    if not any(name.endswith(MIDDLEWARE) for name in django_settings.MIDDLEWARE):
        sentence = f"PAGES_DJANGO_LOGIN=on needs {MIDDLEWARE} in MIDDLEWARE."
        hint = "Put it after Django's AuthenticationMiddleware."
        found.append(Error(sentence, hint=hint, id="authsvc.E031"))
    if django_settings.SESSION_ENGINE == _COOKIE_SESSIONS:
        sentence = "PAGES_DJANGO_LOGIN=on cannot end Django sessions that only a cookie stores."
        found.append(Error(sentence, hint="Set SESSION_ENGINE to another engine.", id="authsvc.E032"))
    return found


def check_base_template(**_: Any) -> list[CheckMessage]:
    """Report a PAGES_BASE_TEMPLATE that the site does not have."""
    name = settings().base_template
    if not name:
        return []
    try:
        get_template(name)
    except TemplateDoesNotExist:
        return [Error(f"No template has the name {name} in PAGES_BASE_TEMPLATE.", id="authsvc.E033")]
    return []


def check_mounting(**_: Any) -> list[CheckMessage]:
    """Report a console without the pages that sign its operators in."""
    if find_path("authsvc-console-overview") is None or find_path("authsvc-sign-in") is not None:
        return []
    sentence = "The URLconf includes the console, but not the pages on which its operators sign in."
    return [Error(sentence, hint='Add path("account/", include("gatehouse.pages.urls")).', id="authsvc.E034")]


def _circle() -> list[CheckMessage]:
    """Warn when LOGIN_URL leads to the pages, and their sign-in opens no Django session."""
    try:
        is_here = resolve_url(django_settings.LOGIN_URL) == reverse("authsvc-sign-in")
    except NoReverseMatch:
        return []
    if not is_here:
        return []
    sentence = "LOGIN_URL leads to the sign-in of the service, which opens no Django session. So login_required leads in a circle."
    return [CheckWarning(sentence, hint="Set PAGES_DJANGO_LOGIN to on.", id="authsvc.W044")]
