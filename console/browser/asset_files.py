"""The stylesheet and the scripts of the console, and their addresses in its templates."""

from pathlib import Path

import django_htmx
from django.urls import reverse

from core.errors import NotFound
from core.http.assets import Asset, read_asset
from core.http.tokens import read_stylesheet
from mail.branding import brand_rule

_OWN = Path(__file__).resolve().parents[1] / "static"
_HTMX = Path(django_htmx.__file__).parent / "static/django_htmx"
_FILES = {
    "favicon.svg": _OWN / "favicon.svg",
    "console.css": _OWN / "console.css",
    "console.js": _OWN / "console.js",
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
