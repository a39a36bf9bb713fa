"""`python -m tools.screenshots DIRECTORY` makes the pictures of the operators' pages, from a running service with demo data.

The service is at GATEHOUSE_URL, and the file GATEHOUSE_OPERATOR has the credentials of its operator. `./dev screenshots`
starts such a service. The pictures need Chromium.
"""

import os
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pyotp
from playwright.sync_api import Browser, Page, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture of one page, in pixels of CSS. `path` begins with a slash."""

    name: str
    path: str
    width: int = 1280
    height: int = 900
    scheme: Literal["light", "dark"] = "light"


PICTURES: Sequence[Picture] = (
    Picture(name="overview", path="/console/"),
    Picture(name="overview-phone", path="/console/", width=360, height=780, scheme="dark"),
    Picture(name="attack", path="/console/attacks/203.0.113.0/24?window_days=7", height=1400),
    Picture(name="reviews", path="/console/reviews"),
    Picture(name="diagnose", path="/console/diagnose?email=operator@example.com", height=640),
    Picture(name="browsable-api", path="/v1/admin/settings/ask-ai-widget", height=1500),
)


def main(directory: Path) -> None:
    """Write the pictures to the directory, and print the name of each."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        sys.exit(f"The pictures need Chromium: none of {', '.join(BROWSERS)} is on the PATH.")
    directory.mkdir(parents=True, exist_ok=True)
    credentials = dict(
        re.findall(r"^(\S.*?)  +(\S+)$", Path(os.environ["GATEHOUSE_OPERATOR"]).read_text(), re.MULTILINE)
    )
    with sync_playwright() as playwright:
        # Chromium refuses its sandbox to root.
        browser = playwright.chromium.launch(executable_path=program, chromium_sandbox=os.geteuid() != 0)
        state = _sign_in(browser, credentials, picture=directory / "sign-in.png")
        for picture in PICTURES:
            page = _page(browser, picture, state=state)
            page.goto(picture.path)
            page.wait_for_load_state("networkidle")
            page.screenshot(path=directory / f"{picture.name}.png")
            sys.stdout.write(f"{directory / picture.name}.png\n")
        browser.close()


def _sign_in(browser: Browser, credentials: dict[str, str], *, picture: Path) -> object:
    """Sign the operator in, and return the cookies. Make a picture of the first form."""
    page = _page(browser, Picture(name="sign-in", path="/console/", width=640, height=640), state=None)
    page.goto("/console/")
    page.screenshot(path=picture)
    sys.stdout.write(f"{picture}\n")
    page.get_by_label("E-mail address").fill(credentials["address"])
    page.get_by_role("button", name="Continue", exact=True).click()
    page.get_by_label("Password", exact=True).fill(credentials["password"])
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_label("Code from your authenticator app").fill(pyotp.TOTP(credentials["app secret"]).now())
    page.get_by_role("button", name="Continue").first.click()
    page.get_by_role("link", name="Not now").click()
    page.get_by_role("heading", name="Overview").wait_for()
    return page.context.storage_state()


def _page(browser: Browser, picture: Picture, *, state: object) -> Page:
    context = browser.new_context(
        base_url=os.environ["GATEHOUSE_URL"],
        viewport={"width": picture.width, "height": picture.height},
        color_scheme=picture.scheme,
        storage_state=state,  # type: ignore[arg-type]  # the stubs name a private type
        locale="en-GB",
        timezone_id="UTC",
    )
    return context.new_page()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
