"""All routes of the installed apps, for a host project: `path("", include("gatehouse.urls"))`.

A site with other paths includes the three lists of patterns, without a namespace.
"""

from importlib import import_module

from django.apps import apps
from django.urls import URLPattern, URLResolver, include, path

from core.http import urls as core_urls

# The routes that clients call most come first. The last route of core_urls answers every other path.
_API = (
    *("authsvc_sessions", "authsvc_accounts", "authsvc_mfa", "authsvc_apikeys", "authsvc_askai"),
    *("authsvc_oidc", "authsvc_console"),
)
_PAGES = ("authsvc_mfa", "authsvc_pages", "authsvc_oidc", "authsvc_console")


def _collect(name: str, labels: tuple[str, ...]) -> list[URLPattern]:
    installed = [import_module(f"{apps.app_configs[label].name}.urls") for label in labels if label in apps.app_configs]
    return [pattern for module in (*installed, core_urls) for pattern in getattr(module, name, ())]


api_patterns = _collect("urlpatterns", _API)
"""Relative to /v1/. They answer for every path below it."""

page_patterns = _collect("site_patterns", _PAGES)
"""Relative to the root of the site: the pages behind links in mails, the pages of the people who sign in, and the console."""

well_known_patterns = _collect("well_known_patterns", _PAGES)
"""Relative to the root of the site, as RFC 8615 requires."""

urlpatterns: list[URLPattern | URLResolver] = [
    path("v1/", include(api_patterns)),
    *page_patterns,
    *well_known_patterns,
]
