"""The choices of an operator that a cookie of the browser keeps, such as the time zone."""

from django.http import HttpResponse

from core.conf import core_settings

KEPT_SECONDS = 400 * 24 * 60 * 60
"""The time for which a browser keeps the choice. Browsers allow at most 400 days."""


def keep_choice(response: HttpResponse, *, cookie: str, value: str) -> None:
    """Let the browser keep the value. Pages below /v1/admin have the same choices, so the cookie has the path `/`."""
    is_https = core_settings().base_url.startswith("https:")
    response.set_cookie(
        cookie, value, max_age=KEPT_SECONDS, path="/", secure=is_https, httponly=True, samesite="Strict"
    )
