"""The cookies of the pages. No script reads them, and with https no other host sets them."""

from datetime import timedelta

from django.http import HttpResponse

from core.conf import core_settings

KEPT = timedelta(days=400)
"""The time for which a browser keeps a choice. Browsers allow at most 400 days."""


def bound_name(name: str) -> str:
    """Return the name of the cookie. With https it has a prefix that keeps other hosts from setting the cookie."""
    return f"__Host-{name}" if core_settings().is_https else name


def keep(response: HttpResponse, *, name: str, value: str, lifetime: timedelta) -> None:
    """Let the browser keep the cookie. Lax: the cookie comes with a link of another site, and not with its forms."""
    response.set_cookie(
        name, value, max_age=lifetime, path="/", secure=core_settings().is_https, httponly=True, samesite="Lax"
    )


def keep_choice(response: HttpResponse, *, name: str, value: str) -> None:
    """Let the browser keep a choice. Pages below /v1/admin have the same choices, so the cookie has the path `/`."""
    keep(response, name=name, value=value, lifetime=KEPT)


def forget(response: HttpResponse, *, name: str) -> None:
    """Let the browser forget the cookie."""
    response.delete_cookie(name, path="/", samesite="Lax")
