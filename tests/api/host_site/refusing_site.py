"""A site with DRF views that answer errors through the service's exception handler."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.urls import include, path
from django.utils.decorators import method_decorator
from django_ratelimit.decorators import ratelimit
from rest_framework import serializers
from rest_framework.authentication import BaseAuthentication, BasicAuthentication, SessionAuthentication
from rest_framework.parsers import JSONParser
from rest_framework.permissions import BasePermission
from rest_framework.renderers import BaseRenderer, BrowsableAPIRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import StoredHashKind
from apikeys.authentication import ApiKeyAuthentication, HasScopes
from core.clock import now


class Order(serializers.Serializer[Any]):
    """The body of a POST."""

    colour = serializers.ChoiceField(choices=["red", "blue"])


class Refuse(APIView):
    """A view that raises the error a test sets."""

    authentication_classes: Sequence[type[BaseAuthentication]] = ()
    permission_classes: Sequence[type[BasePermission]] = ()
    throttle_classes = ()
    parser_classes = (JSONParser,)
    renderer_classes: Sequence[type[BaseRenderer]] = (JSONRenderer,)
    failure: ClassVar[Exception]

    def get(self, request: Request) -> Response:
        """Store a row. Then fail."""
        StoredHashKind.objects.get_or_create(kind="stored by the view", defaults={"seen_at": now()})
        raise self.failure

    def post(self, request: Request) -> Response:
        """Accept an order."""
        Order(data=request.data).is_valid(raise_exception=True)
        return Response({})


class Limited(Refuse):
    """A view that django-ratelimit limits to no request at all."""

    @method_decorator(ratelimit(key="ip", rate="0/m"))
    def get(self, request: Request) -> Response:
        """Return an empty object."""
        return Response({})


class WithChallenge(Refuse):
    """A view whose first authentication class has a challenge."""

    authentication_classes = (BasicAuthentication, SessionAuthentication)


class WithoutChallenge(Refuse):
    """A view whose first authentication class has no challenge."""

    authentication_classes = (SessionAuthentication, BasicAuthentication)


class ForBrowsers(Refuse):
    """A view that renders its own answers as pages."""

    renderer_classes = (BrowsableAPIRenderer,)


class ForKeys(Refuse):
    """A view for API keys."""

    authentication_classes: Sequence[type[BaseAuthentication]] = (ApiKeyAuthentication,)
    permission_classes = (HasScopes,)
    required_scopes = ("reports:read",)


class ForKeysAfterSessions(ForKeys):
    """A view for sessions of the site, and for API keys."""

    authentication_classes = (SessionAuthentication, ApiKeyAuthentication)


urlpatterns = [
    path("refuse", Refuse.as_view()),
    path("limited", Limited.as_view()),
    path("with-challenge", WithChallenge.as_view()),
    path("without-challenge", WithoutChallenge.as_view()),
    path("for-browsers", ForBrowsers.as_view()),
    path("for-keys", ForKeys.as_view()),
    path("for-keys-after-sessions", ForKeysAfterSessions.as_view()),
    path("v1/", include("sessions_app.urls")),
    path("v1/", include("accounts.urls")),
    path("v1/", include("apikeys.urls")),
    path("v1/", include("core.http.urls")),
]
