"""The stylesheet and the scripts of the console. The service serves them itself, so a host needs no static files app."""

import hashlib
from functools import cache
from pathlib import Path

import django_htmx
from django.http import HttpResponse
from django.urls import reverse

from accounts.core.errors import NotFound, RateLimited
from accounts.core.http.docs import ASSET_POLICY, Asset, AssetQuery
from accounts.core.http.view import Call, Caller, ServiceView, operation

_OWN = Path(__file__).resolve().parents[1] / "static"
_HTMX = Path(django_htmx.__file__).parent / "static/django_htmx"
_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
_FILES = {
    "console.css": _OWN / "console.css",
    "console.js": _OWN / "console.js",
    "passkeys.js": _OWN / "passkeys.js",
    "widget.js": _OWN / "widget.js",
    "reviews.js": _OWN / "reviews.js",
    "htmx.min.js": _HTMX / "htmx-2.min.js",
}


@cache
def asset(name: str) -> Asset:
    """Return the file of that name. The process reads each file once. Raises NotFound for an unknown name."""
    if name not in _FILES:
        raise NotFound
    content = _FILES[name].read_bytes()
    version = hashlib.sha256(content).hexdigest()[:16]
    return Asset(content=content, content_type=_TYPES[_FILES[name].suffix], version=version)


def asset_url(name: str) -> str:
    """Return the path of the file with its version."""
    return f"{reverse('authsvc-console-asset', args=[name])}?v={asset(name).version}"


class ConsoleAsset(ServiceView):
    """A file of the console. It contains no data, so it needs no session."""

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
