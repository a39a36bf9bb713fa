"""The pages within the base template of a host site.

The template of a page and that of a site both have the blocks `title` and `content`, with other contents. So the parts of
the page are rendered first, and then put into the template of the site.
"""

import secrets
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

PARTS = "authsvc_pages/parts.html"
"""The document of a page within a site: the title, the styles and the body, between cuts."""
WRAPPER = "authsvc_pages/in_site.html"
"""The template that puts the parts into the blocks of the site. A site can replace it."""


def make_cut() -> str:
    """Return a text that separates the parts. No text of a page can contain it, because it is random."""
    return mark_safe(f"<!--{secrets.token_hex(16)}-->")  # noqa: S308 - no text of anyone


def put_into(base: str, html: str, *, cut: str, frame: Mapping[str, Any], request: HttpRequest) -> str:
    """Return the HTML of the site's template `base` with the parts of the page, which `cut` separates.

    The template of the site gets the request and the values of its context processors.
    """
    title, styles, body = html.split(cut)
    parts = {"title": mark_safe(title.strip()), "styles": mark_safe(styles), "body": mark_safe(body)}  # noqa: S308 - rendered HTML
    return render_to_string(WRAPPER, {"page": frame, "site_base": base, **parts}, request=request)
