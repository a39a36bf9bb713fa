"""A site with DRF views that accept API keys. The first view is the example in docs/embedding.md."""

from collections.abc import Sequence

from django.db import transaction
from django.urls import include, path
from django.utils.decorators import method_decorator
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apikeys.authentication import ApiKeyAuthentication, HasScopes

from .pages import run_examples

EXAMPLES = run_examples("embedding.md", "API keys on your own views")


class Anything(APIView):
    """A view that accepts a key with any scopes."""

    authentication_classes: Sequence[type[BaseAuthentication]] = (ApiKeyAuthentication,)
    permission_classes = (HasScopes,)
    renderer_classes = (JSONRenderer,)
    required_scopes: Sequence[str] = ()

    def get(self, request: Request) -> Response:
        """Return an empty object."""
        return Response({})


class Much(Anything):
    """A view that requires two scopes."""

    required_scopes = ("reports:read", "reports:write")


class ForBoth(Anything):
    """A view that also accepts the site's own sessions."""

    authentication_classes = (SessionAuthentication, ApiKeyAuthentication)
    required_scopes = ("reports:read",)


@method_decorator(transaction.non_atomic_requests, name="dispatch")
class Alone(Anything):
    """A view outside ATOMIC_REQUESTS."""


class Failing(Anything):
    """A view that fails after the authentication by key."""

    def get(self, request: Request) -> Response:
        """Fail."""
        raise RuntimeError


urlpatterns = [
    path("reports", EXAMPLES["Reports"].as_view(renderer_classes=[JSONRenderer])),
    path("anything", Anything.as_view()),
    path("much", Much.as_view()),
    path("both", ForBoth.as_view()),
    path("alone", Alone.as_view()),
    path("failing", Failing.as_view()),
    path("v1/", include("sessions_app.urls")),
    path("v1/", include("accounts.urls")),
    path("v1/", include("apikeys.urls")),
    path("v1/", include("core.http.urls")),
]
