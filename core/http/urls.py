"""The routes of every deployment, relative to /v1/. The last route answers every unknown path below /v1/."""

from django.urls import path, re_path

from .docs import Docs, DocsAsset, GetOpenApiDocument
from .health import CheckHealth
from .jwks import GetJwks
from .unknown_paths import UnknownPath

urlpatterns = [
    path("health", CheckHealth.as_view()),
    path("openapi.json", GetOpenApiDocument.as_view()),
    path("docs", Docs.as_view(), name="authsvc-docs"),
    path("docs/<str:name>", DocsAsset.as_view()),
    # The class also matches line breaks. Django cannot reverse a pattern with inline flags, such as (?s:.*). One such
    # pattern breaks every reverse() of the host project.
    re_path(r"^(?P<rest>[\s\S]*)\Z", UnknownPath.as_view()),
]

# These paths are relative to the root of the site, as RFC 8615 requires.
well_known_patterns = [path(".well-known/jwks.json", GetJwks.as_view())]
