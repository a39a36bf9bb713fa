"""The stylesheet and the scripts of the console. The service serves them itself, so a host needs no static files app."""

from pathlib import Path

import django_htmx
from django.http import HttpResponse
from django.urls import reverse

import pages
from core.errors import NotFound, RateLimited
from core.http.assets import Asset, AssetQuery, read_asset, respond
from core.http.call import Call
from core.http.compression import PublicDocument
from core.http.limits import PAGE
from core.http.tokens import read_stylesheet
from core.http.view import Auth, operation
from mail.branding import brand_rule

_OWN = Path(__file__).resolve().parents[1] / "static"
_HTMX = Path(django_htmx.__file__).parent / "static/django_htmx"
_FILES = {
    "favicon.svg": _OWN / "favicon.svg",
    "console.css": _OWN / "console.css",
    "console.js": _OWN / "console.js",
    "passkeys.js": Path(pages.__file__).parent / "static/passkeys.js",
    "widget.js": _OWN / "widget.js",
    "reviews.js": _OWN / "reviews.js",
    "htmx.min.js": _HTMX / "htmx-2.min.js",
}


def asset(name: str) -> Asset:
    """Return the file of that name. Raises NotFound for an unknown name."""
    if name not in _FILES:
        raise NotFound
    path = _FILES[name]
    return read_stylesheet(path, brand_rule()) if path.suffix == ".css" else read_asset(path)


def asset_url(name: str) -> str:
    """Return the path of the file with its version."""
    return f"{reverse('authsvc-console-asset', args=[name])}?v={asset(name).version}"


class ConsoleAsset(PublicDocument):
    """A file of the console. It contains no data, so it needs no session."""

    auth = Auth.PUBLIC
    schema = None

    @operation(query=AssetQuery, output=HttpResponse, errors=(NotFound, RateLimited), limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the file. Browsers may cache it forever when `v` is the version of its content."""
        return respond(asset=asset(call.path["name"]), version=call.query["v"])
