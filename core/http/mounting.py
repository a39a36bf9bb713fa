"""The paths at which a host project has mounted the routes of the service."""

from django.urls import NoReverseMatch, reverse


def find_path(name: str, *arguments: str) -> str | None:
    """Return the path of the named route with these arguments.

    Returns None when the host project's URLconf does not include the route, or includes it only in a namespace.
    """
    try:
        return reverse(name, args=arguments)
    except NoReverseMatch:
        return None
