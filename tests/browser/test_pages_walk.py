"""Every page for the people who sign in, in Chromium: small, wide, light, dark, enlarged, mirrored, and without scripts."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from mail.languages import ENGLISH, LANGUAGES
from tests.placement import TAKES_LONG
from tests.processes.variables import empty_database
from tools.local_postgres import free_port
from tools.page_walk import SCRIPTED_STAGES, STAGES, Walk
from tools.walked_host import WalkedHost

from .conftest import Watch
from .looks import faults, fits, texts
from .service import Service, serving

pytestmark = pytest.mark.once

WEIGHT_MAX = 60 * 1024
"""The most bytes of a page with all its files, as they are sent."""

_WEIGHT = """() => performance.getEntries().filter((one) => "encodedBodySize" in one)
  .reduce((sum, one) => sum + one.encodedBodySize, 0)"""
_INLINE = "() => document.querySelectorAll('[style], [onclick], [onsubmit], script:not([nonce]):not([src])').length"
_MOVING = "() => document.getAnimations().length"


OpenWalk = Callable[..., Walk]


@pytest.fixture(scope="module")
def walked(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service with buttons of providers, links in the foot, and the limit of too many tries."""
    port, directory = free_port(), tmp_path_factory.mktemp("walk")
    with (
        empty_database(directory) as url,
        serving(port=port, database_url=url, directory=directory, **variables_of_walk()) as running,
    ):
        yield running


def variables_of_walk() -> dict[str, str]:
    return {
        "BRAND_NAME": "Acme",
        "TERMS_URL": "https://acme.example/terms",
        "PRIVACY_URL": "https://acme.example/privacy",
        "EMAIL_VERIFICATION": "on",
        # Only the tries of a password reach a limit.
        "RATE_LIMITS": "signup=off,mail_ip=off",
        "OAUTH_GOOGLE_CLIENT_ID": "walk",
        "OAUTH_GOOGLE_CLIENT_SECRET": "walk",
    }


@pytest.fixture
def open_walk(browser: Browser, walked: Service) -> Iterator[OpenWalk]:
    """Open a browser for a walk. At its end, the test fails if a page logged an error or called another origin."""
    contexts: list[BrowserContext] = []
    watch = Watch((walked.url,))

    def start(**options: Any) -> Walk:
        contexts.append(browser.new_context(**options))
        watch.watch(contexts[-1], permits_refusals=True)
        host = WalkedHost(variables=walked.variables)
        return Walk(page=contexts[-1].new_page(), url=walked.url, mails=walked.mails, host=host)

    yield start
    for context in contexts:
        context.close()
    assert watch.offences == []


def check_light(page: Page) -> Iterator[str]:
    """Yield what is wrong with the page in light mode, on a wide screen."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    yield from (f"axe: {rule} {html}" for rule, html in faults(page))
    if page.evaluate(_INLINE):
        yield "a style or a script in an attribute"
    if (weight := page.evaluate(_WEIGHT)) > WEIGHT_MAX:
        yield f"{weight} bytes"
    if page.locator("h1").count() != 1:
        yield "not one heading"


def check_dark(page: Page) -> Iterator[str]:
    """Yield what is wrong with the page in dark mode, on a phone."""
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    yield from (f"pale: {text}" for text in texts(page) if text.contrast < 4.5)
    if page.evaluate(_MOVING):
        yield "it moves"


def check_narrow(page: Page) -> Iterator[str]:
    """Yield what is wrong with the page at 200 % zoom of 640 pixels, and from right to left."""
    page.set_viewport_size({"width": 320, "height": 740})
    if not fits(page):
        yield "too wide"
    page.evaluate("document.documentElement.dir = 'rtl'")
    if not fits(page):
        yield "too wide from right to left"
    page.evaluate("document.documentElement.removeAttribute('dir')")


@TAKES_LONG
@pytest.mark.parametrize("stage", [*STAGES, *SCRIPTED_STAGES])
def test_each_state_of_each_page_is_readable_accessible_and_light(open_walk: OpenWalk, stage: str) -> None:
    walk = open_walk()
    wrong = {
        state: found
        for state in {**STAGES, **SCRIPTED_STAGES}[stage](walk)
        if (found := [*check_light(walk.page), *check_dark(walk.page), *check_narrow(walk.page)])
    }

    assert wrong == {}


def check_language(walk: Walk, stage: str) -> None:
    """Walk through the stage without scripts. The pages have the language of the browser, and need no sideways scrolling."""
    language = walk.page.evaluate("navigator.language")
    wrong = []
    for state in STAGES[stage](walk):
        shown = walk.page.locator("html").get_attribute("lang")
        if shown != language or not fits(walk.page):
            wrong.append((state, shown))

    assert wrong == []


def test_the_entrance_works_without_scripts_in_forced_colours_and_in_german(open_walk: OpenWalk) -> None:
    phone = {"width": 320, "height": 740}

    check_language(
        open_walk(java_script_enabled=False, forced_colors="active", locale="de", viewport=phone), "entrance"
    )


@TAKES_LONG
@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != ENGLISH])
@pytest.mark.parametrize("stage", STAGES)
def test_each_page_works_without_scripts_in_each_language(open_walk: OpenWalk, stage: str, language: str) -> None:
    phone = {"width": 320, "height": 740}

    check_language(open_walk(java_script_enabled=False, locale=language, viewport=phone), stage)
