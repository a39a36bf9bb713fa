"""The operations of the project's URLconf, found by walking it."""

from collections.abc import Iterator
from typing import Any

from django.contrib.admindocs.views import simplify_regex
from django.urls import URLPattern, URLResolver, get_resolver, resolve

from core.http.view import ServiceView
from tests.description import anonymous


def mounted_operations() -> dict[str, type[ServiceView]]:
    """Return the view of every operation of the API, without pages and endpoints of OAuth, by a name such as `DELETE /v1/sessions/{}`."""
    return {
        name: view
        for name, view in operations_and_pages().items()
        if not view.__module__.startswith(("console.browser.", "pages."))
        and (name.split()[1].startswith("/v1/") or not view.__module__.startswith("oidc."))
    }


def operations_and_pages() -> dict[str, type[ServiceView]]:
    """Return the view of every operation of the service, the pages included."""
    return {
        f"{method} {path}": view for path, view in _views(get_resolver().url_patterns, "") for method in view.operations
    }


def view_at(url: str) -> type[ServiceView]:
    """Return the view that answers at the path. For an unknown path that is the view for 404 answers."""
    function: Any = resolve(url).func
    view: type[ServiceView] = function.cls
    return view


def _views(patterns: list[URLPattern | URLResolver], prefix: str) -> Iterator[tuple[str, type[ServiceView]]]:
    for entry in patterns:
        route = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from _views(entry.url_patterns, route)
            continue
        view: Any = getattr(entry.callback, "cls", object)
        if issubclass(view, ServiceView):
            yield anonymous(simplify_regex(route)), view
