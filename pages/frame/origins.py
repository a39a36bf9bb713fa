"""The origin of a request, as a browser states it."""

from django.http import HttpRequest

from core.conf import core_settings


def is_own_origin(request: HttpRequest) -> bool:
    """Return whether a page of this site sent the request. A browser states the site in one of two headers.

    A request without both headers does not come from a browser's page.
    """
    site = request.headers.get("Sec-Fetch-Site")
    return site == "same-origin" if site else request.headers.get("Origin") == core_settings().base_url
