"""Views of a host project behind Django's per-site cache, which does not tell callers apart by their credentials."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.http import HttpRequest, JsonResponse
from django.urls import include, path
from ninja import NinjaAPI
from pytest_django import Settings
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apikeys.authentication import ApiKeyAuthentication, HasScopes
from apikeys.ninja import ApiKeyBearer
from sessions_app.site.authentication import AccessTokenAuthentication
from sessions_app.site.decorators import access_token_required
from sessions_app.site.ninja import AccessTokenBearer
from tests.client import Api
from tests.keys import make_key
from tests.people import Person

pytestmark = [pytest.mark.urls(__name__), pytest.mark.django_db(transaction=True)]


class ByToken(APIView):
    """A view for access tokens."""

    authentication_classes: Any = (AccessTokenAuthentication,)
    permission_classes: Any = ()
    renderer_classes = (JSONRenderer,)
    throttle_classes = ()
    versioning_class = None

    def get(self, request: Request) -> Response:
        """Answer the user's id."""
        return Response({"user": str(request.user.pk)})


class ByKey(ByToken):
    """A view for API keys."""

    authentication_classes = (ApiKeyAuthentication,)
    permission_classes = (HasScopes,)


@access_token_required
def plain(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"user": str(request.user.pk)})


def operation(request: HttpRequest) -> Any:
    return {"user": str(request.user.pk)}


api = NinjaAPI(urls_namespace="site-cache")
api.get("/ninja/token", auth=AccessTokenBearer())(operation)
api.get("/ninja/key", auth=ApiKeyBearer())(operation)

urlpatterns = [
    path("drf/token", ByToken.as_view()),
    path("drf/key", ByKey.as_view()),
    path("plain/token", plain),
    path("", api.urls),
    path("v1/", include("sessions_app.urls")),
    path("v1/", include("accounts.urls")),
    path("v1/", include("apikeys.urls")),
]


@pytest.fixture(autouse=True)
def _cached(settings: Settings) -> Iterator[None]:
    """Put the per-site cache in front of the views."""
    settings.MIDDLEWARE = [
        "django.middleware.cache.UpdateCacheMiddleware",
        *settings.MIDDLEWARE,
        "django.middleware.cache.FetchFromCacheMiddleware",
    ]
    yield
    cache.clear()


@pytest.mark.parametrize("path", ["/drf/token", "/drf/key", "/plain/token", "/ninja/token", "/ninja/key"])
def test_each_caller_gets_an_answer_of_its_own(path: str, alice: Person, bob: Person) -> None:
    sessions = [alice.log_in(), bob.log_in()]
    credentials = [make_key(one)["key"] if path.endswith("key") else one.access for one in sessions]

    answers = [Api().client.get(path, headers={"Authorization": f"Bearer {one}"}).json() for one in credentials]

    assert answers == [{"user": alice.user_id}, {"user": bob.user_id}]
