"""The routes of the API's description: the OpenAPI document, and the interactive reference with its files.

The reference is a Swagger UI page. The service serves its files itself, from the installed packages. It uses no CDN, no
static files app and no inline code. Therefore the page works under a Content-Security-Policy that permits no code and no
requests of other origins.
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import drf_spectacular_sidecar
from django.conf import settings
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.urls import get_script_prefix, get_urlconf
from rest_framework import serializers

from ..errors import NotFound, RateLimited
from .fields import QUERY_MAX, Text
from .schema import JSON, ServiceSchema
from .view import (
    Call,
    Caller,
    ServiceView,
    operation,
)

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
ASSET_POLICY = "default-src 'none'; frame-ancestors 'none'"

_OWN = Path(__file__).resolve().parent / "static"
_SWAGGER_UI = Path(str(drf_spectacular_sidecar.__file__)).parent / "static/drf_spectacular_sidecar/swagger-ui-dist"
_ASSETS = {
    "swagger-ui.css": (_SWAGGER_UI, "text/css; charset=utf-8"),
    "swagger-ui-bundle.js": (_SWAGGER_UI, "text/javascript; charset=utf-8"),
    "favicon-32x32.png": (_SWAGGER_UI, "image/png"),
    "docs.css": (_OWN, "text/css; charset=utf-8"),
    "docs.js": (_OWN, "text/javascript; charset=utf-8"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """A file of the page. `version` changes with the content, so that a browser may cache each version forever."""

    content: bytes
    content_type: str
    version: str


@cache
def asset(name: str) -> Asset:
    """Return the file of that name. The process reads each file once. Raises NotFound for an unknown name."""
    if name not in _ASSETS:
        raise NotFound
    directory, content_type = _ASSETS[name]
    content = (directory / name).read_bytes()
    return Asset(content=content, content_type=content_type, version=hashlib.sha256(content).hexdigest()[:16])


@cache
def page() -> str:
    """Return the page's HTML. The links are relative, so the host project may mount the routes below any prefix."""
    links = [(name.replace("-", "_").replace(".", "_"), f"docs/{name}?v={asset(name).version}") for name in _ASSETS]
    return render_to_string("authsvc_accounts/docs.html", dict(links))


class OpenApiDocument(ServiceView):
    """Get this description of the API."""

    caller = Caller.PUBLIC
    schema = ServiceSchema(common=())

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the OpenAPI 3.1 document with every operation of this deployment. The answer has no envelope."""
        from .openapi import document  # noqa: PLC0415 - drf-spectacular takes several MB of memory

        body = document(urlconf=get_urlconf(settings.ROOT_URLCONF), root=get_script_prefix())
        return HttpResponse(body, content_type=JSON)


class AssetQuery(serializers.Serializer[None]):
    """Query of a request for a file: the version of the file."""

    v = Text(default="", max_length=QUERY_MAX)


class Docs(ServiceView):
    """The interactive reference."""

    caller = Caller.PUBLIC
    schema = None

    @operation(output=HttpResponse, errors=(RateLimited,))
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        return HttpResponse(page(), headers={"Content-Security-Policy": PAGE_POLICY})


class DocsAsset(ServiceView):
    """A file of the interactive reference."""

    caller = Caller.PUBLIC
    schema = None

    @operation(query=AssetQuery, output=HttpResponse, errors=(NotFound, RateLimited))
    def get(self, call: Call) -> HttpResponse:
        """Return the file. Browsers may cache it forever when `v` is the version of its content."""
        found = asset(call.path["name"])
        headers = {"Content-Security-Policy": ASSET_POLICY}
        if call.query["v"] == found.version:
            headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return HttpResponse(found.content, content_type=found.content_type, headers=headers)
