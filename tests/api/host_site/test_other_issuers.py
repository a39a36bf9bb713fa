"""A DRF view of a host project that accepts access tokens of the service and JWTs of another issuer."""

import base64
import json
from collections.abc import Sequence
from typing import Any

import jwt as pyjwt
import pytest
from django.contrib.auth import get_user_model
from django.urls import include, path
from pytest_django import Settings
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from sessions_app.site.authentication import AccessTokenAuthentication
from tests.api.host_site.tokens_site import ServiceErrors
from tests.client import Api
from tests.people import Person

pytestmark = [pytest.mark.urls(__name__), pytest.mark.django_db(transaction=True)]

SECRET = "the secret of the other issuer, with enough bytes"


class OtherIssuer(BaseAuthentication):
    """Authenticates with JWTs of type `JWT`, as djangorestframework-simplejwt does."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Return the user of the claim `user_id`. Raises AuthenticationFailed for a JWT that is not valid."""
        try:
            claims = pyjwt.decode(request.META.get("HTTP_AUTHORIZATION", "")[7:], SECRET, algorithms=["HS256"])
        except pyjwt.InvalidTokenError:
            raise AuthenticationFailed("The other issuer refuses the token.", code="token_not_valid") from None
        return get_user_model()._default_manager.get(pk=claims["user_id"]), claims


class Both(ServiceErrors, APIView):
    """A view during a change-over."""

    authentication_classes: Sequence[type[BaseAuthentication]] = (AccessTokenAuthentication, OtherIssuer)
    permission_classes = (IsAuthenticated,)
    renderer_classes = (JSONRenderer,)

    def get(self, request: Request) -> Response:
        """Return the user's id."""
        return Response({"user": str(request.user.pk)})


class OnlyOurs(Both):
    """A view after the change-over."""

    authentication_classes = (AccessTokenAuthentication,)


urlpatterns = [
    path("both", Both.as_view()),
    path("ours", OnlyOurs.as_view()),
    path("v1/", include("sessions_app.urls")),
    path("v1/", include("accounts.urls")),
]


@pytest.fixture(autouse=True)
def _defaults_of_drf(settings: Settings) -> None:
    """Remove the DRF defaults of the host site, because these tests use views of the site."""
    settings.REST_FRAMEWORK = {} if "django.contrib.auth" in settings.INSTALLED_APPS else {"UNAUTHENTICATED_USER": None}


def outcome(path: str, token: str) -> tuple[int, str]:
    """Return the status, and the user's id or the error code."""
    response = Api().client.get(path, headers={"Authorization": f"Bearer {token}"})
    body = response.json()
    return response.status_code, body["error"]["code"] if "error" in body else body["user"]


def with_header(token: str, **header: Any) -> str:
    """Return the token with another header."""
    encoded = base64.urlsafe_b64encode(json.dumps(header).encode()).rstrip(b"=").decode()
    return ".".join([encoded, *token.split(".")[1:]])


def test_a_view_accepts_the_tokens_of_both_issuers(alice: Person) -> None:
    other = pyjwt.encode({"user_id": alice.user_id}, SECRET, algorithm="HS256")

    assert outcome("/both", alice.log_in().access) == (200, alice.user_id)
    assert outcome("/both", other) == (200, alice.user_id)


def test_the_other_issuer_refuses_its_own_invalid_tokens(alice: Person) -> None:
    forged = pyjwt.encode({"user_id": alice.user_id}, SECRET[::-1], algorithm="HS256")

    assert outcome("/both", forged) == (401, "token_not_valid")


@pytest.mark.parametrize("kind", ["at+jwt", "AT+JWT", "application/at+jwt"])
def test_a_token_of_the_services_type_never_reaches_the_other_issuer(alice: Person, kind: str) -> None:
    forged = pyjwt.encode({"user_id": alice.user_id}, SECRET, algorithm="HS256", headers={"typ": kind})

    assert outcome("/both", forged) == (401, "invalid_access_token")


@pytest.mark.parametrize("header", [{"alg": "none", "typ": "JWT"}, {"alg": "ES256"}])
def test_an_access_token_under_another_header_opens_no_view(alice: Person, header: dict[str, str]) -> None:
    forged = with_header(alice.log_in().access, **header)

    assert outcome("/both", forged) == (401, "token_not_valid")
    assert outcome("/ours", forged) == (401, "invalid_access_token")


def test_a_header_that_is_no_json_object_is_refused_at_once() -> None:
    assert outcome("/both", "garbage.garbage.garbage") == (401, "invalid_access_token")
    assert outcome("/both", "WzFd.e30.AAAA") == (401, "invalid_access_token")


def test_without_a_later_class_a_jwt_of_another_issuer_is_an_invalid_access_token(alice: Person) -> None:
    other = pyjwt.encode({"user_id": alice.user_id}, SECRET, algorithm="HS256")

    assert outcome("/ours", other) == (401, "invalid_access_token")
