"""The routes of the site. The routes of the service are mounted beside them."""

from typing import Any, NoReturn

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

import console.urls
import gatehouse.urls
import oidc.urls
import pages.urls


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
    path("v1/", include(gatehouse.urls.api_patterns)),
    *gatehouse.urls.well_known_patterns,
    path("account/", include(pages.urls)),
    *pages.urls.mail_patterns,
    *oidc.urls.site_patterns,
    path("ops/", include(console.urls.site_patterns)),
]
