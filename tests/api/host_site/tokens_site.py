"""A site with DRF views that accept access tokens. Two of the classes are the examples in docs/embedding.md."""

from collections.abc import Sequence
from typing import Any

from django.urls import include, path
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apikeys.authentication import ApiKeyAuthentication
from core.http.responses import exception_handler
from sessions_app.site.authentication import AccessTokenAuthentication, RecentLogin

from .pages import run_examples

EXAMPLES = run_examples("embedding.md", "Access tokens on your own views")


class ServiceErrors:
    """A mixin for views that answer errors in the format of the service."""

    def get_exception_handler(self) -> Any:
        """Return the handler of the service."""
        return exception_handler


class Payouts(ServiceErrors, EXAMPLES["Payouts"]):  # type: ignore[misc, valid-type]  # from the page
    """The view of the page, with errors in the format of the service."""


class Anything(ServiceErrors, APIView):
    """A view that accepts every access token and every API key."""

    authentication_classes: Sequence[type[BaseAuthentication]] = (AccessTokenAuthentication, ApiKeyAuthentication)
    permission_classes: Sequence[type[BasePermission]] = (IsAuthenticated,)
    renderer_classes = (JSONRenderer,)

    def get(self, request: Request) -> Response:
        """Return the user's id."""
        return Response({"user": str(request.user.pk)})


class Live(Anything):
    """A view that refuses the tokens of ended sessions."""

    authentication_classes = (EXAMPLES["LiveAccessToken"],)


class Recent(Anything):
    """A view that also demands a recent login."""

    permission_classes = (RecentLogin,)


urlpatterns = [
    path("payouts", Payouts.as_view(renderer_classes=[JSONRenderer])),
    path("anything", Anything.as_view()),
    path("live", Live.as_view()),
    path("recent", Recent.as_view()),
    path("v1/", include("sessions_app.urls")),
    path("v1/", include("accounts.urls")),
    path("v1/", include("apikeys.urls")),
    path("v1/", include("core.http.urls")),
]
