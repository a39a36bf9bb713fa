"""The design tokens are the only place with colours."""

import re
from pathlib import Path

import pytest

from core.http.tokens import TOKENS_FILE, tones

pytestmark = pytest.mark.once

ROOT = Path(__file__).resolve().parents[2]
APPS = ("accounts", "askai", "config", "console", "core", "mail", "mfa", "pages", "templates")
STYLESHEETS = sorted(path for app in APPS for path in (ROOT / app).rglob("*.css") if path != TOKENS_FILE)
# A mail, an icon and the element of other sites cannot load a stylesheet of the service.
COPIES = sorted(
    path for app in APPS for kind in ("html", "js", "svg", "py") for path in (ROOT / app).rglob(f"*.{kind}")
)
_NAMES = "aqua|black|blue|fuchsia|gray|green|grey|lime|maroon|navy|olive|orange|purple|red|silver|teal|white|yellow"
_COLOUR = re.compile(
    rf"#[0-9a-fA-F]{{3,8}}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(|(?<=[:,(\s])(?:{_NAMES})(?=[;,)\s!])"
)
_DECLARED = re.compile(r":[^;{}]*;")
_COPIED = re.compile(r"(?<![\w&])#[0-9a-f]{6}\b")
_PHYSICAL = re.compile(
    r"(?:^|[\s;{-])(?:left|right)\b(?!-)|(?:margin|padding|border|inset|scroll-(?:margin|padding))-(?:top|right|bottom|left)"
    r"|(?:float|clear|text-align): (?:left|right)|(?<![\w-])(?:min-|max-)?(?:width|height):"
)


@pytest.mark.parametrize("path", STYLESHEETS, ids=lambda path: path.name)
def test_a_stylesheet_has_no_colour_of_its_own(path: Path) -> None:
    declarations = _DECLARED.findall(path.read_text())

    assert [text for text in declarations if _COLOUR.search(text)] == []


def test_each_colour_outside_the_stylesheets_is_one_of_the_tokens() -> None:
    known = {colour for tone in tones().values() for colour in (tone.light, tone.dark)} | {"#000000"}

    found = {(path.name, colour) for path in COPIES for colour in _COPIED.findall(path.read_text())}

    assert {one for one in found if one[1] not in known} == set()


def test_the_stylesheet_of_the_pages_is_ready_for_right_to_left() -> None:
    rules = re.sub(r"@media[^{]*", "", (ROOT / "pages/static/pages.css").read_text())

    assert [line for line in rules.splitlines() if _PHYSICAL.search(line)] == []


@pytest.mark.parametrize(
    "rule", ["color: #fff;", "color: rgb(0 0 0);", "background: white;", "border: 1px solid red;", "color:#1d4ed8;"]
)
def test_a_colour_is_found(rule: str) -> None:
    [declaration] = _DECLARED.findall(rule)

    assert _COLOUR.search(declaration)


@pytest.mark.parametrize(
    "rule", ["a { margin-left: 1px; }", "a { left: 0; }", "a { text-align: right; }", "a { width: 1px; }"]
)
def test_a_physical_side_is_found(rule: str) -> None:
    assert _PHYSICAL.search(rule)
