"""Measurements of the look of a page, and of its accessibility."""

from dataclasses import dataclass
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# Every visible text, with the background colours from the element outwards. An opaque background hides those behind it.
# Open shadow roots belong to the page too.
_TEXTS = """() => {
  const found = [];
  const inside = (root) =>
    [...root.querySelectorAll("*")].flatMap((element) => [element, ...(element.shadowRoot ? inside(element.shadowRoot) : [])]);
  for (const element of inside(document.body)) {
    const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    const text = String(own.map((node) => node.data).join("").trim() || element.value || "").slice(0, 40);
    if (!text || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const grounds = [];
    let opacity = 1;
    for (let at = element; at; at = at.parentElement ?? at.getRootNode().host) {
      grounds.push(getComputedStyle(at).backgroundColor);
      opacity *= Number(getComputedStyle(at).opacity);
    }
    found.push({ text, colour: getComputedStyle(element).color, grounds, opacity });
  }
  return found;
}"""

_END_TRANSITIONS = "document.getAnimations().forEach((one) => one instanceof CSSTransition && one.finish())"

AXE = Axe()

Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A visible text, and the contrast ratio with its background (WCAG 2.2, from 1 to 21)."""

    text: str
    contrast: float


def texts(page: Page) -> list[Text]:
    """Return the texts that are visible on the page at the moment.

    Transitions end first, because a colour between two grounds has the contrast of neither.
    """
    page.evaluate(_END_TRANSITIONS)
    return [Text(text=entry["text"], contrast=_contrast_of(entry)) for entry in page.evaluate(_TEXTS)]


def fits(page: Page) -> bool:
    """Return whether the page needs no horizontal scrolling."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def faults(page: Page) -> list[tuple[str, str]]:
    """Return the serious and critical findings of axe-core on the page: the rule, and the HTML of the element.

    Transitions end first, as in `texts`.
    """
    page.evaluate(_END_TRANSITIONS)
    # Without this option, axe describes each element of every rule that passed, which takes most of its time.
    found = AXE.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    serious = [rule for rule in found if rule["impact"] in {"serious", "critical"}]
    return [(rule["id"], node["html"]) for rule in serious for node in rule["nodes"]]


def _contrast_of(entry: dict[str, Any]) -> float:
    layers = []
    for ground in entry["grounds"]:
        layers.append(_parse(ground))
        if layers[-1][1] == 1:
            break
    assert layers[-1][1] == 1, f"Nothing opaque lies behind {entry['text']!r}."
    behind = layers.pop()[0]
    for colour, alpha in reversed(layers):
        behind = _blend(colour, alpha, behind)
    colour, alpha = _parse(entry["colour"])
    lighter, darker = sorted(map(_luminance, (_blend(colour, alpha * entry["opacity"], behind), behind)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _parse(css: str) -> tuple[Colour, float]:
    """Return red, green and blue from 0 to 1, and the alpha, of a computed colour: `rgb(1, 2, 3)`, `rgba(1, 2, 3, 0)`."""
    kind, _, numbers = css.rstrip(")").partition("(")
    assert kind in {"rgb", "rgba"}, css
    red, green, blue, *alpha = (float(number) for number in numbers.split(","))
    return (red / 255, green / 255, blue / 255), alpha[0] if alpha else 1.0


def _blend(colour: Colour, alpha: float, behind: Colour) -> Colour:
    red, green, blue = (alpha * over + (1 - alpha) * under for over, under in zip(colour, behind, strict=True))
    return red, green, blue


def _luminance(colour: Colour) -> float:
    """Return the relative luminance (WCAG 2.2)."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
