"""A site with an API of its own that mounts the service under a prefix."""

from django.urls import include, path
from drf_spectacular.openapi import AutoSchema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import accounts.urls
import core.http.urls


class Weather(APIView):
    """A view of the site that does not belong to the service."""

    schema = AutoSchema()

    def get(self, request: Request) -> Response:
        """Return the weather."""
        return Response({"weather": "fine"})


urlpatterns = [
    path("weather", Weather.as_view()),
    path("auth/v1/", include([*accounts.urls.urlpatterns, *core.http.urls.urlpatterns])),
]
