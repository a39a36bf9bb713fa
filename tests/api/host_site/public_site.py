"""A site with the views in docs/public-api.md."""

from django.db.transaction import non_atomic_requests
from django.urls import include, path
from rest_framework.renderers import JSONRenderer

from .pages import run_examples
from .tokens_site import ServiceErrors

PAGE = "public-api.md"

plain = run_examples(PAGE, "Plain Django views")


class Refunds(ServiceErrors, run_examples(PAGE, "Operators on your own views")["Refunds"]):  # type: ignore[misc]  # from the page
    """The view of the page, with errors in the format of the service."""

    renderer_classes = (JSONRenderer,)


urlpatterns = [
    path("refunds", Refunds.as_view()),
    path("invoices", plain["invoices"]),
    # Django refuses asynchronous views with ATOMIC_REQUESTS.
    path("transfers", non_atomic_requests(plain["transfers"])),
    path("v1/", include("sessions_app.urls")),
    path("v1/", include("accounts.urls")),
    path("v1/", include("apikeys.urls")),
    path("v1/", include("core.http.urls")),
]
