"""Static files that the service serves itself. A host project therefore needs no static files app for them."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.http import HttpResponse

ASSET_POLICY = "default-src 'none'; frame-ancestors 'none'"

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """A file. `version` changes with the content, so that a browser may cache each version forever."""

    content: bytes
    content_type: str
    version: str


@cache
def read_asset(path: Path) -> Asset:
    """Return the file: a stylesheet, a script or an image. The process reads each file once."""
    return make_asset(path.read_bytes(), suffix=path.suffix)


def make_asset(content: bytes, *, suffix: str) -> Asset:
    """Return the content as a file. The suffix, such as `.css`, determines the type."""
    version = hashlib.sha256(content).hexdigest()[:16]
    return Asset(content=content, content_type=_TYPES[suffix], version=version)


def respond(*, asset: Asset, version: str = "", headers: Mapping[str, str] | None = None) -> HttpResponse:
    """Return the file. Browsers may cache it forever when the URL names the version of the content."""
    response = HttpResponse(
        asset.content,
        content_type=asset.content_type,
        headers={"Content-Security-Policy": ASSET_POLICY, **(headers or {})},
    )
    if version == asset.version:
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response
