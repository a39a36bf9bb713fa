"""The look of the mails and of their pages: the product's name, its logo and its colour."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from core.conf import core_settings

from .conf import settings

DEFAULT_COLOUR = "#1d4ed8"

_BLACK_TEXT_FROM = 0.179
"""Above this relative luminance of the ground, black text has a higher contrast than white text (WCAG 2.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brand:
    """The look of a deployment. `text_colour` is the colour of text on `colour`. Both have the form `#rrggbb`.

    `name` is the host of BASE_URL when MAIL_PRODUCT_NAME is unset. `logo_url` is "" when MAIL_LOGO_URL is unset.
    """

    name: str
    logo_url: str
    colour: str
    text_colour: str


def current_brand() -> Brand:
    """Return the look that the settings define."""
    look = settings()
    colour = look.colour or DEFAULT_COLOUR
    return Brand(
        name=look.product_name or urlsplit(core_settings().base_url).hostname or "",
        logo_url=look.logo_url,
        colour=colour,
        text_colour=text_colour_on(colour=colour),
    )


def text_colour_on(*, colour: str) -> str:
    """Return black or white, the one with the higher contrast on the colour `#rrggbb`. The contrast is at least 4.5."""
    return "#000000" if _luminance(colour) > _BLACK_TEXT_FROM else "#ffffff"


def _luminance(colour: str) -> float:
    """Return the relative luminance of the colour `#rrggbb` (WCAG 2.2), from 0 to 1."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)  # noqa: PLR2004 - figures of the standard
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
