"""A host site whose sign-in is on the pages, with a view for signed-in users."""

from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

import console.urls
import gatehouse.urls
import pages.urls


@login_required
def report(request: HttpRequest, name: str) -> HttpResponse:
    """Answer the id of the Django session's user."""
    return HttpResponse(str(request.user.pk))


def leave(request: HttpRequest) -> HttpResponse:
    """Sign out of Django."""
    logout(request)
    return HttpResponse()


urlpatterns = [
    path("reports/<str:name>/", report),
    path("leave/", leave),
    path("v1/", include(gatehouse.urls.api_patterns)),
    path("konto/", include(pages.urls)),
    path("ops/", include(console.urls.site_patterns)),
]
