"""A site with its own sign-in by Django sessions. The views `tokens` and `sign-in` are the examples in docs/public-api.md."""

from typing import Any

from django.contrib.auth.views import LogoutView
from django.db.transaction import non_atomic_requests
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_exempt
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from sessions_app.site.authentication import AccessTokenAuthentication
from sessions_app.site.django_sessions import open_django_session, open_token_session
from tests.api.host_site.pages import run_examples

EXAMPLES = run_examples("public-api.md", "Django sessions and token pairs")


def home(request: HttpRequest) -> HttpResponse:
    """Answer the id of the Django session's user, or an empty text."""
    return HttpResponse(str(request.user.pk or ""))


def note(request: HttpRequest) -> HttpResponse:
    """Store a note in the Django session, and answer the note before."""
    before = request.session.get("note", "")
    request.session["note"] = "hello"
    return HttpResponse(before)


def meanwhile() -> None:
    """Do nothing. A test replaces this function by another request."""


@non_atomic_requests
def late_note(request: HttpRequest) -> HttpResponse:
    """Read the Django session before another request, and change it afterwards."""
    before = request.session.get("note", "")
    meanwhile()
    request.session["note"] = "hello"
    return HttpResponse(before)


@non_atomic_requests
async def asynchronous_home(request: HttpRequest) -> HttpResponse:
    """Answer the same as `home`."""
    user = await request.auser()
    return HttpResponse(str(user.pk or ""))


@non_atomic_requests
@csrf_exempt
def careless_tokens(request: HttpRequest) -> HttpResponse:
    """Take every method, without the CSRF check of the middleware."""
    return HttpResponse(str(open_token_session(request=request)))


@csrf_exempt
def careless_sign_in(request: HttpRequest) -> HttpResponse:
    """Take every method."""
    open_django_session(request=request)
    return HttpResponse()


@method_decorator(non_atomic_requests, name="dispatch")
class TokensOfDrf(APIView):
    """A view of DRF, which authenticates the request in another way."""

    authentication_classes: tuple[type[BaseAuthentication], ...] = (AccessTokenAuthentication,)
    permission_classes: tuple[type[BasePermission], ...] = ()
    throttle_classes = ()
    renderer_classes = (JSONRenderer,)

    def post(self, request: Request) -> Response:
        """Open a session for the user of the Django session."""
        answer: Any = open_token_session(request=request)
        return Response({"access_token": answer.access_token})


urlpatterns = [
    path("", home),
    path("note", note),
    path("late-note", late_note),
    path("async", asynchronous_home),
    path("tokens", EXAMPLES["tokens"]),
    path("sign-in", EXAMPLES["sign_in"]),
    path("careless-tokens", careless_tokens),
    path("careless-sign-in", careless_sign_in),
    path("drf-tokens", TokensOfDrf.as_view()),
    path("log-out", LogoutView.as_view(next_page="/")),
    path("v1/", include("sessions_app.urls")),
    path("v1/", include("accounts.urls")),
    path("v1/", include("mfa.urls")),
    path("v1/", include("core.http.urls")),
]
