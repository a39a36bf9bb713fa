"""The routes of the site. The routes of the service are mounted beside them."""

from typing import Any, NoReturn

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

import accounts.core.http.urls
import accounts.urls
import console.urls
import mfa.urls


def hostile_exception_handler(_error: Exception, _context: dict[str, Any]) -> NoReturn:
    """Fail, because no answer of the service may pass through the site's handler."""
    raise AssertionError("the site's exception handler was asked")


def home(_request: HttpRequest) -> HttpResponse:
    """Answer as the site does."""
    return HttpResponse("the site's own page")


urlpatterns = [
    path("", home),
    path("admin/", admin.site.urls),
    path("members/", include("allauth.urls")),
    path("v1/", include("sessions_app.urls")),
    path("v1/", include("accounts.urls")),
    path("v1/", include("mfa.urls")),
    path("v1/", include("apikeys.urls")),
    path("v1/", include("askai.urls")),
    path("v1/", include("console.urls")),
    path("v1/", include("accounts.core.http.urls")),
    *accounts.urls.site_patterns,
    *accounts.urls.well_known_patterns,
    *mfa.urls.well_known_patterns,
    *accounts.core.http.urls.site_patterns,
    path("ops/", include(console.urls.site_patterns)),
]
