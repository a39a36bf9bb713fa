"""Compression of documents by gzip, for clients that accept it."""

import gzip
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from .view import ServiceView

if TYPE_CHECKING:
    from typing_extensions import TypeIs

BYTES_MIN = 500
"""A shorter content gains nothing."""
DOCUMENTS_MAX = 64
"""The number of public documents that a process keeps in their compressed form."""

_TYPES = ("text/", "application/json", "image/svg+xml")
_GZIP = re.compile(r"(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[0-9.]+\s*)?(?=,|$)", re.IGNORECASE)
_QUICK, _BEST = 5, 9


class PublicDocument(ServiceView):
    """A route whose answers are the same for every caller. They contain no secret, so they are always compressed."""

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        """Return the answer of the route, compressed for a client that accepts it."""
        response = super().dispatch(request, *args, **kwargs)
        if _is_compressible(response, request):
            _replace(response, _compressed_document(response.content))
        return response


def compress_page(response: HttpResponseBase, request: HttpRequest) -> None:
    """Compress a page that contains secrets, when no other site can have caused the request.

    The length of a compressed page tells whether a text that a stranger chose also occurs elsewhere in the page (BREACH).
    A stranger needs many requests of the victim's browser for this. The browser states the site of each request in a
    header that no page can change.
    """
    if request.headers.get("Sec-Fetch-Site") in ("same-origin", "none") and _is_compressible(response, request):
        _replace(response, gzip.compress(response.content, _QUICK, mtime=0))


def _is_compressible(response: HttpResponseBase, request: HttpRequest) -> "TypeIs[HttpResponse]":
    if not isinstance(response, HttpResponse) or not response.headers.get("Content-Type", "").startswith(_TYPES):
        return False
    patch_vary_headers(response, ("Accept-Encoding",))
    return len(response.content) >= BYTES_MIN and bool(_GZIP.search(request.headers.get("Accept-Encoding", "")))


def _replace(response: HttpResponse, content: bytes) -> None:
    response.content = content
    response.headers["Content-Encoding"] = "gzip"
    response.headers["Content-Length"] = str(len(content))


@lru_cache(maxsize=DOCUMENTS_MAX)
def _compressed_document(content: bytes) -> bytes:
    return gzip.compress(content, _BEST, mtime=0)
