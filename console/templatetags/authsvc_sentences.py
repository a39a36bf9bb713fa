"""Filters for values inside translated sentences. A translation places the value, so its mark-up comes with it."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def person(name: str) -> SafeString:
    """Return the name or the typed text in an element that can break it. Another person wrote it."""
    return format_html('<span class="user-text">{}</span>', name)


@register.filter
def mono(value: str) -> SafeString:
    """Return the value, such as an IP address, in letters of one width."""
    return format_html('<span class="mono">{}</span>', value)
