"""The redirect of HTML pages to BASE_URL."""

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from ..conf import core_settings

_PROXY_HEADERS = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP")


def redirect_to_base_url(request: HttpRequest) -> HttpResponse | None:
    """Return the redirect to the same path at BASE_URL, or None when the page answers under its own host name.

    A passkey works only under the host name of BASE_URL. The result is None for this name on every port. It is also
    None for a method other than GET and HEAD, and for a request through a proxy. Raises DisallowedHost for a host name
    that ALLOWED_HOSTS does not accept.
    """
    base = urlsplit(core_settings().base_url)
    # A proxy may replace the host name in every request. Then each redirect would lead to the next one. The service
    # itself speaks only http, so a proxy also lies between https at BASE_URL and a request by http.
    is_behind_proxy = request.scheme != base.scheme or any(
        name in request.headers for name in (*_PROXY_HEADERS, core_settings().proxy_ip_header)
    )
    name = urlsplit(f"//{request.get_host()}").hostname
    if name == base.hostname or is_behind_proxy or request.method not in ("GET", "HEAD"):
        return None
    return HttpResponseRedirect(core_settings().base_url + request.get_full_path())
