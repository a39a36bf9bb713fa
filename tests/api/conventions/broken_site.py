"""A site with the error pages of the standalone project, and with routes that fail."""

from typing import NoReturn

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpRequest
from django.urls import include, path

import pages.urls
from config.error_pages import with_error_pages

from .failing_site import SECRET, Fail

FAILURES = {
    "suspicious": SuspiciousOperation(SECRET),
    "denied": PermissionDenied(SECRET),
    "unknown": Http404(SECRET),
    "broken": RuntimeError(SECRET),
}


def fail(_request: HttpRequest, kind: str) -> NoReturn:
    """Fail outside the views of the service."""
    raise FAILURES[kind]


_OUTSIDE = [path("outside/<str:kind>", fail)]

urlpatterns = [
    *with_error_pages([path("fail", Fail.as_view())]),
    *_OUTSIDE,
    path("v1/", include(_OUTSIDE)),
    *pages.urls.site_patterns,
]

handler400 = handler403 = handler404 = handler500 = "config.error_pages.handle_error"
