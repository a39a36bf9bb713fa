"""A site whose DRF views refuse the tokens of ended sessions by the two classes in docs/sign-out.md."""

from django.urls import include, path
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from sessions_app.site.revocation_list import RevocationListAuthentication

from .pages import run_examples

EXAMPLES = run_examples("sign-out.md", "A Django site")


class Page(APIView):
    """A view that answers the user's id."""

    permission_classes = (IsAuthenticated,)
    renderer_classes = (JSONRenderer,)

    def get(self, request: Request) -> Response:
        """Return the user's id."""
        return Response({"user": str(request.user.pk)})


urlpatterns = [
    path("live", Page.as_view(authentication_classes=[EXAMPLES["LiveAccessToken"]])),
    path("listed", Page.as_view(authentication_classes=[EXAMPLES["ListedAccessToken"]])),
    path("default", Page.as_view(authentication_classes=[RevocationListAuthentication])),
    path("v1/", include("sessions_app.urls")),
    path("v1/", include("accounts.urls")),
    path("v1/", include("core.http.urls")),
]
