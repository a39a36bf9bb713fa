"""The addresses of the console: its prefix, its sections, and the page that a sign-in leads to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from core.http.mounting import find_path
from pages.frame.navigation import is_own_page

SECTIONS: Mapping[str, Mapping[str, str]] = {
    "": {"overview": gettext_noop("Overview")},
    gettext_noop("Security"): {
        "reviews": gettext_noop("Reviews"),
        "events": gettext_noop("Events"),
        "blocks": gettext_noop("Blocked networks"),
    },
    gettext_noop("People"): {
        "users": gettext_noop("Users"),
        "applications": gettext_noop("Applications"),
        "login-methods": gettext_noop("Sign-in methods"),
        "hashes": gettext_noop("Password hashes"),
    },
    gettext_noop("Operations"): {
        "deliveries": gettext_noop("Deliveries"),
        "logs": gettext_noop("Logs"),
        "digests": gettext_noop("Digests"),
    },
    gettext_noop("Support"): {"diagnose": gettext_noop("Diagnose"), "tuning": gettext_noop("Tuning")},
    gettext_noop("Settings"): {
        "settings-llm": gettext_noop("Language model"),
        "settings-database": gettext_noop("Database"),
        "settings-widget": gettext_noop("Widget"),
        "settings-all": gettext_noop("Effective settings"),
    },
    gettext_noop("Access"): {"operators": gettext_noop("Operators")},
}
"""The labels of the console's sections, by the label of their group and by their key.

The page of a section has the URL name `authsvc-console-` and the key.
"""

FIRST_API_ROUTE = "authsvc-admin-overview"
"""The URL name of `overview` in the operators' API. The other routes of the API have the same prefix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A link of the navigation."""

    key: str
    label: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Links of the navigation under a common label, which may be blank."""

    label: str
    entries: Sequence[Entry]


def prefix() -> str:
    """Return the path of the console's first page, with a slash at its end: `/console/` unless a host mounts it elsewhere."""
    return reverse("authsvc-console-overview")


def api_prefix() -> str | None:
    """Return the path of the operators' API, with a slash at its end. Return None when a host does not mount it."""
    path = find_path(FIRST_API_ROUTE)
    return path.removesuffix("overview") if path else None


def navigation() -> list[Group]:
    """Return the groups of sections whose pages exist."""
    groups = [
        Group(
            label=gettext(label) if label else "",
            entries=[
                Entry(key=key, label=gettext(text), url=url)
                for key, text in sections.items()
                if (url := find_path(f"authsvc-console-{key}")) is not None
            ],
        )
        for label, sections in SECTIONS.items()
    ]
    return [group for group in groups if group.entries]


def own_page(text: str) -> str:
    """Return the path and query when they lead to a page of the console or of the operators' API.

    Otherwise return the path of the first page. The text may come from anyone.
    """
    is_console = text.startswith(tuple(filter(None, (prefix(), api_prefix()))))
    return text if is_console and is_own_page(text) else prefix()


def page_of(request: HttpRequest) -> str:
    """Return the page to show again after a detour. For a form it is the page that contains the form."""
    if request.method in ("GET", "HEAD") and not request.headers.get("HX-Request"):
        return own_page(request.get_full_path())
    try:
        shown = urlsplit(request.headers.get("HX-Current-URL") or request.headers.get("Referer", ""))
    except ValueError:
        return prefix()
    return own_page(f"{shown.path}?{shown.query}" if shown.query else shown.path)
