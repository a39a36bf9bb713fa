"""`python -m tools.page_pictures DOCS EVERY` makes the pictures of the pages for the people who sign in.

The service is at GATEHOUSE_URL, and its mails are files in GATEHOUSE_MAILS. `./dev screenshots` starts such a service.
EVERY gets a folder for each language, with each state of each page: 360 and 1280 pixels wide, light and dark. DOCS gets
the few pictures of the documentation. The pictures need Chromium.
"""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from mail.languages import ENGLISH, LANGUAGES

from .page_walk import SCRIPTED_STAGES, STAGES, Stage, Walk
from .screenshots import BROWSERS
from .walked_host import WalkedHost

Scheme = Literal["light", "dark"]
WIDTHS = {1280: 800, 360: 740}
"""The widths of the pictures, with the height of the screen."""
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
IN_DOCS: Mapping[str, tuple[str, int, Scheme]] = {
    "sign-in-ways": ("pages-sign-in", 1280, "light"),
    "account": ("pages-account", 1280, "light"),
    "two-step": ("pages-two-step-phone", 360, "dark"),
}
"""The states that the documentation shows, each with the name of its picture."""


def main(docs: Path, every: Path) -> None:
    """Write the pictures to the two directories, and print the name of each state."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        sys.exit(f"The pictures need Chromium: none of {', '.join(BROWSERS)} is on the PATH.")
    with sync_playwright() as playwright:
        # Chromium refuses its sandbox to root.
        browser = playwright.chromium.launch(executable_path=program, chromium_sandbox=os.geteuid() != 0)
        for language in LANGUAGES:
            directory = every / language
            directory.mkdir(parents=True, exist_ok=True)
            for stage in (*STAGES.values(), *SCRIPTED_STAGES.values()):
                _picture(browser, stage, language=language, directory=directory)
        browser.close()
    for state, (name, width, scheme) in IN_DOCS.items():
        shutil.copy(every / ENGLISH / f"{state}-{width}-{scheme}.png", docs / f"{name}.png")


def _picture(browser: Browser, stage: Stage, *, language: str, directory: Path) -> None:
    context = browser.new_context(locale=language, timezone_id="UTC", reduced_motion="reduce")
    page = context.new_page()
    host = WalkedHost(variables=os.environ)
    walk = Walk(page=page, url=os.environ["GATEHOUSE_URL"], mails=Path(os.environ["GATEHOUSE_MAILS"]), host=host)
    for state in stage(walk):
        for width, height in WIDTHS.items():
            for scheme in SCHEMES:
                _shoot(page, directory / f"{state}-{width}-{scheme}.png", width=width, height=height, scheme=scheme)
        sys.stdout.write(f"{language} {state}\n")
    context.close()


def _shoot(page: Page, path: Path, *, width: int, height: int, scheme: Scheme) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=scheme)
    page.screenshot(path=path, full_page=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
