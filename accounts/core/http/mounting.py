"""Where a site has mounted a route of the service."""

from django.urls import NoReverseMatch, reverse


def find_path(name: str) -> str | None:
    """Return the path of the named route; None where the site's URLconf does not include it, or only in a namespace."""
    try:
        return reverse(name)
    except NoReverseMatch:
        return None
