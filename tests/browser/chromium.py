"""Chromium without access to other machines."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The programs, the best first. The shell has no windows, so a context takes a third of the processor time."""


def find_chromium() -> str | None:
    """Return the path of the browser."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def launched(path: str) -> Iterator[Browser]:
    """Run the browser, headless."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            # Chromium refuses its sandbox to root.
            chromium_sandbox=os.geteuid() != 0,
            args=["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost"],
        )
        yield browser
        browser.close()
