"""The look of the pages and of the mails: the product's name, its logo and its colour."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from core.conf import core_settings
from core.http.tokens import Tone, tones, with_light_colours

from .conf import settings

DEFAULT_COLOUR = tones()["accent"].light

READABLE = 4.5
"""The least contrast between a text and its ground (WCAG 2.2, 1.4.3)."""

_BLACK, _WHITE = "#000000", "#ffffff"
_WASH_PART = 0.1
"""The part of the brand's colour in the ground of a chosen item."""
_STEPS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Brand:
    """The look of a deployment. `text_colour` is the colour of text on `colour`. Both have the form `#rrggbb`.

    `name` is the host of BASE_URL when BRAND_NAME is unset. A URL is "" when its setting is unset.
    """

    name: str
    logo_url: str
    dark_logo_url: str
    colour: str
    text_colour: str
    terms_url: str
    privacy_url: str


def current_brand() -> Brand:
    """Return the look that the settings define."""
    look = settings()
    colour = look.colour or DEFAULT_COLOUR
    return Brand(
        name=look.product_name or urlsplit(core_settings().base_url).hostname or "",
        logo_url=look.logo_url,
        dark_logo_url=look.dark_logo_url,
        colour=colour,
        text_colour=text_colour_on(colour=colour),
        terms_url=look.terms_url,
        privacy_url=look.privacy_url,
    )


def with_logo(policy: str) -> str:
    """Return the Content-Security-Policy, which then also permits the images at the URLs of the logos."""
    look = settings()
    logos = [url.partition("?")[0] for url in (look.logo_url, look.dark_logo_url) if url]
    return policy.replace("img-src ", f"img-src {' '.join(logos)} ") if logos else policy


def brand_rule() -> str:
    """Return the CSS rule with the colours of the brand, or "" for a deployment without a colour of its own.

    Buttons have the brand's colour. In dark mode they have a lighter tone of it, if the colour itself is hard to see.
    Links have the nearest tone that is readable.
    """
    return with_light_colours(_rule(settings().colour)) if settings().colour else ""


def link_tone(colour: str) -> Tone:
    """Return the tones of the colour in which text is readable on all grounds, in light mode and in dark mode."""
    surface, sunken = tones()["surface"], tones()["sunken"]
    return Tone(
        light=_nearest(colour, towards=_BLACK, grounds=(surface.light, sunken.light)),
        dark=_nearest(colour, towards=_WHITE, grounds=(surface.dark, sunken.dark)),
    )


def text_colour_on(*, colour: str) -> str:
    """Return black or white, the one with the higher contrast on the colour `#rrggbb`. The contrast is at least 4.5."""
    return max((_WHITE, _BLACK), key=lambda text: contrast(text, colour))


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours `#rrggbb`, from 1 to 21 (WCAG 2.2)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _rule(colour: str) -> str:
    surface, link = tones()["surface"], link_tone(colour)
    accent = Tone(light=colour, dark=colour if contrast(colour, surface.dark) >= READABLE else link.dark)
    pairs = {
        "accent": accent,
        "on-accent": Tone(light=text_colour_on(colour=accent.light), dark=text_colour_on(colour=accent.dark)),
        "link": link,
        "wash": Tone(
            light=_mixed(surface.light, link.light, _WASH_PART), dark=_mixed(surface.dark, link.dark, _WASH_PART)
        ),
    }
    values = "".join(f"  --{name}: light-dark({tone.light}, {tone.dark});\n" for name, tone in pairs.items())
    return f":root {{\n{values}}}\n"


def _nearest(colour: str, *, towards: str, grounds: tuple[str, ...]) -> str:
    """Return the colour, or the first tone on the way to black or white that is readable on all grounds and washes."""
    return next(tone for tone in _tones(colour, towards) if _is_readable(tone, grounds))


def _is_readable(tone: str, grounds: tuple[str, ...]) -> bool:
    washes = (_mixed(ground, tone, _WASH_PART) for ground in grounds)
    return all(contrast(tone, ground) >= READABLE for ground in (*grounds, *washes))


def _tones(colour: str, towards: str) -> Iterator[str]:
    yield from (_mixed(colour, towards, step / _STEPS) for step in range(_STEPS + 1))


def _mixed(colour: str, other: str, part: float) -> str:
    """Return the colour with this part of the other colour, as `color-mix(in srgb, …)` computes it."""
    pairs = zip(_parts(colour), _parts(other), strict=True)
    return "#" + "".join(f"{round(one + (two - one) * part):02x}" for one, two in pairs)


def _parts(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def _luminance(colour: str) -> float:
    """Return the relative luminance of the colour `#rrggbb` (WCAG 2.2), from 0 to 1."""
    parts = [part / 255 for part in _parts(colour)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)  # noqa: PLR2004 - figures of the standard
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
