"""The choice between JSON and HTML by the header Accept."""

from django.http import HttpRequest


def prefers_html(request: HttpRequest) -> bool:
    """Return whether the header Accept names `text/html` and prefers it to JSON. The wildcard alone means JSON."""
    accept = request.META.get("HTTP_ACCEPT", "")
    return "text/html" in accept and request.get_preferred_type(["application/json", "text/html"]) == "text/html"
