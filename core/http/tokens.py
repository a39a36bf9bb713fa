"""The design tokens: the colours, spaces and type that every stylesheet of the service uses.

`static/tokens.css` declares them. The service puts that file in front of each stylesheet when it serves the stylesheet.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .assets import Asset, make_asset

TOKENS_FILE = Path(__file__).resolve().parent / "static/tokens.css"

_PAIR = re.compile(r"light-dark\(([^,()]+), ([^()]+)\)")
_COLOUR = re.compile(rf"--([a-z-]+): (?:{_PAIR.pattern}|(#[0-9a-f]+));")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tone:
    """A colour in light mode and in dark mode. Both have the form `#rrggbb`."""

    light: str
    dark: str


@cache
def tokens() -> str:
    """Return the rules that declare the tokens.

    A browser without `light-dark()` gets the light colours. Otherwise it would ignore every colour.
    """
    return with_light_colours(TOKENS_FILE.read_text())


@cache
def tones() -> dict[str, Tone]:
    """Return the colours by the names of their variables, without the hyphens in front."""
    found = _COLOUR.findall(TOKENS_FILE.read_text())
    return {name: Tone(light=light or both, dark=dark or both) for name, light, dark, both in found}


def with_light_colours(rules: str) -> str:
    """Return the rules twice: with the light colours, and with both colours for a browser that knows `light-dark()`."""
    light = _PAIR.sub(r"\1", rules).replace("color-scheme: light dark", "color-scheme: light")
    return f"{light}@supports (color: light-dark(red, red)) {{\n{rules}}}\n"


@cache
def read_stylesheet(path: Path, own: str = "") -> Asset:
    """Return the stylesheet with the tokens in front. `own` are rules that replace tokens, such as those of the brand."""
    return make_asset(f"{tokens()}{own}\n{path.read_text()}".encode(), suffix=path.suffix)
