"""The description of a host project's own views by drf-spectacular."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.conf import settings
from django.urls import path
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from rest_framework.authentication import BaseAuthentication
from rest_framework.response import Response
from rest_framework.views import APIView

from apikeys.authentication import ApiKeyAuthentication
from sessions_app.site.authentication import AccessTokenAuthentication

pytestmark = pytest.mark.skipif(
    "DEFAULT_SCHEMA_CLASS" not in getattr(settings, "REST_FRAMEWORK", {}), reason="only a site describes own views"
)


class OwnAuthentication(AccessTokenAuthentication):
    """A subclass of a site."""


class Orders(APIView):
    """A view for both kinds of callers."""

    authentication_classes: Sequence[type[BaseAuthentication]] = (AccessTokenAuthentication, ApiKeyAuthentication)
    schema = AutoSchema()

    def get(self, _request: Any) -> Response:
        """Return nothing."""
        return Response()


class OwnOrders(Orders):
    """A view with the subclass."""

    authentication_classes = (OwnAuthentication,)


def test_the_document_has_the_security_schemes_without_a_further_step() -> None:
    routes = [path("orders", Orders.as_view()), path("own-orders", OwnOrders.as_view())]

    document: Any = SchemaGenerator(patterns=routes).get_schema(public=True)

    schemes = document["components"]["securitySchemes"]
    assert schemes["accessToken"]["scheme"] == "bearer"
    assert schemes["apiKey"] == {**schemes["apiKey"], "type": "apiKey", "in": "header", "name": "X-API-Key"}
    assert document["paths"]["/orders"]["get"]["security"] == [{"accessToken": []}, {"apiKey": []}]
    assert document["paths"]["/own-orders"]["get"]["security"] == [{"accessToken": []}]
