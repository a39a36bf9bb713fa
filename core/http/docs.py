"""The routes of the API's description: the OpenAPI document, and the interactive reference with its files.

The reference is a Swagger UI page. The service serves its files itself, from the installed packages. It uses no CDN, no
static files app and no inline code. Therefore the page works under a Content-Security-Policy that permits no code and no
requests of other origins.
"""

from functools import cache
from pathlib import Path

import drf_spectacular_sidecar
from django.conf import settings
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.urls import get_script_prefix, get_urlconf

from ..conf import core_settings
from ..errors import NotFound, RateLimited
from .asset_query import AssetQuery
from .assets import Asset, read_asset, respond
from .call import Call
from .compression import PublicDocument
from .limits import PAGE
from .schema import JSON, ServiceSchema
from .tokens import read_stylesheet
from .view import Auth, operation

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

_OWN = Path(__file__).resolve().parent / "static"
_SWAGGER_UI = Path(str(drf_spectacular_sidecar.__file__)).parent / "static/drf_spectacular_sidecar/swagger-ui-dist"
_ASSETS = {
    "swagger-ui.css": _SWAGGER_UI,
    "swagger-ui-bundle.js": _SWAGGER_UI,
    "favicon-32x32.png": _SWAGGER_UI,
    "docs.css": _OWN,
    "docs.js": _OWN,
}


def asset(name: str) -> Asset:
    """Return the file of that name. Raises NotFound for an unknown name."""
    if name not in _ASSETS:
        raise NotFound
    path = _ASSETS[name] / name
    return read_stylesheet(path) if name == "docs.css" else read_asset(path)


@cache
def page() -> str:
    """Return the page's HTML. The links are relative, so the host project may mount the routes below any prefix."""
    links = [(name.replace("-", "_").replace(".", "_"), f"docs/{name}?v={asset(name).version}") for name in _ASSETS]
    return render_to_string("authsvc_accounts/docs.html", dict(links))


class GetOpenApiDocument(PublicDocument):
    """Get this description of the API."""

    auth = Auth.PUBLIC
    schema = ServiceSchema(common=())

    @operation(output=HttpResponse, limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the OpenAPI 3.1 document with every operation of this deployment. The answer has no envelope."""
        from .openapi import document  # noqa: PLC0415 - drf-spectacular takes several MB of memory

        server = core_settings().base_url + get_script_prefix().rstrip("/")
        body = document(urlconf=get_urlconf(settings.ROOT_URLCONF), server=server)
        return HttpResponse(body, content_type=JSON)


class Docs(PublicDocument):
    """The interactive reference."""

    auth = Auth.PUBLIC
    schema = None

    @operation(output=HttpResponse, errors=(RateLimited,), limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        return HttpResponse(page(), headers={"Content-Security-Policy": PAGE_POLICY})


class DocsAsset(PublicDocument):
    """A file of the interactive reference."""

    auth = Auth.PUBLIC
    schema = None

    @operation(query=AssetQuery, output=HttpResponse, errors=(NotFound, RateLimited), limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the file. Browsers may cache it forever when `v` is the version of its content."""
        return respond(asset=asset(call.path["name"]), version=call.query["v"])
