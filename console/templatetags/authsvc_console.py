"""Tags of the console's templates."""

from django import template

from ..browser.asset_files import asset_url

register = template.Library()


@register.simple_tag
def console_asset(name: str) -> str:
    """Return the URL of a file of the console, such as `{% console_asset "console.css" %}`."""
    return asset_url(name)
