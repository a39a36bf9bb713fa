"""The script of the element `<ask-ai>`, which pages of other origins load, and a page that tries the element out."""

import hashlib
from functools import cache
from pathlib import Path

from django.http import HttpResponse
from django.template.loader import render_to_string

from accounts.core.errors import NotConfigured, RateLimited
from accounts.core.http.docs import ASSET_POLICY, PAGE_POLICY, Asset
from accounts.core.http.view import (
    Call,
    Caller,
    ServiceView,
    operation,
)

from .widget import is_available

_STATIC = Path(__file__).resolve().parent / "static"
_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}

SCRIPT = "ask-ai.js"
REDIRECT_SECONDS = 300
"""Time in which a browser does not ask again for the script's current version."""


@cache
def _asset(name: str) -> Asset:
    content = (_STATIC / name).read_bytes()
    version = hashlib.sha256(content).hexdigest()[:16]
    return Asset(content=content, content_type=_TYPES[Path(name).suffix], version=version)


class _Page(ServiceView):
    """A route without data. It exists where the deployment can answer questions, also before an operator enables them."""

    caller = Caller.PUBLIC
    schema = None

    def check_feature(self) -> None:
        """Raise NotConfigured when the deployment cannot have the feature. The check runs no query."""
        if not is_available():
            raise NotConfigured


class WidgetScript(_Page):
    """The script's URL that pages embed."""

    @operation(output=HttpResponse, status=302, errors=(NotConfigured, RateLimited))
    def get(self, call: Call) -> HttpResponse:
        """Redirect to the current version. The URL is relative, so a host project can use any prefix."""
        headers = {
            "Location": f"ask-ai-{_asset(SCRIPT).version}.js",
            "Cache-Control": f"public, max-age={REDIRECT_SECONDS}",
            "Cross-Origin-Resource-Policy": "cross-origin",
        }
        return HttpResponse(status=302, headers=headers)


class WidgetScriptVersion(_Page):
    """A version of the script."""

    @operation(output=HttpResponse, errors=(NotConfigured, RateLimited))
    def get(self, call: Call) -> HttpResponse:
        """Return the current script. Browsers may cache it forever when the path names its version.

        Another version gets the current script too: during an upgrade, two versions of the service redirect.
        """
        script = _asset(SCRIPT)
        headers = {"Content-Security-Policy": ASSET_POLICY, "Cross-Origin-Resource-Policy": "cross-origin"}
        if call.path["version"] == script.version:
            headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return HttpResponse(script.content, content_type=script.content_type, headers=headers)


class Demo(_Page):
    """A page on which a user signs in and asks. It contains no data."""

    @operation(output=HttpResponse, errors=(NotConfigured, RateLimited))
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        html = render_to_string("authsvc_askai/demo.html")
        return HttpResponse(html, headers={"Content-Security-Policy": PAGE_POLICY})


class DemoAsset(_Page):
    """The script or the stylesheet of the demo page."""

    @operation(output=HttpResponse, errors=(NotConfigured, RateLimited))
    def get(self, call: Call) -> HttpResponse:
        """Return the file."""
        file = _asset(call.path["name"])
        headers = {"Content-Security-Policy": ASSET_POLICY}
        return HttpResponse(file.content, content_type=file.content_type, headers=headers)
