"""A site whose DRF views refuse the tokens of ended sessions by the two classes in docs/sign-out.md."""

import re
from pathlib import Path
from typing import Any

from django.urls import include, path
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from sessions_app.revocation_list import RevocationListAuthentication

PAGE = Path(__file__).parents[3] / "docs" / "sign-out.md"


def example(name: str) -> Any:
    """Return the class of this name from the page. The page names the modules as the wheel has them."""
    section = PAGE.read_text().partition("\n## A Django site\n")[2].partition("\n## ")[0]
    (code,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    names: dict[str, Any] = {"__name__": __name__}
    exec(code.replace("from gatehouse.", "from "), names)  # noqa: S102 - our own page
    return names[name]


class Page(APIView):
    """A view that answers the user's id."""

    permission_classes = (IsAuthenticated,)
    renderer_classes = (JSONRenderer,)

    def get(self, request: Request) -> Response:
        """Return the user's id."""
        return Response({"user": str(request.user.pk)})


urlpatterns = [
    path("live", Page.as_view(authentication_classes=[example("LiveAccessToken")])),
    path("listed", Page.as_view(authentication_classes=[example("ListedAccessToken")])),
    path("default", Page.as_view(authentication_classes=[RevocationListAuthentication])),
    path("v1/", include("sessions_app.urls")),
    path("v1/", include("accounts.urls")),
    path("v1/", include("accounts.core.http.urls")),
]
