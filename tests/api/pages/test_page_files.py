"""The files of the pages, with the design tokens and the colours of the brand."""

import re

from pytest_django import Settings

from pages.frame.assets import asset, asset_url
from tests.client import Api


def test_each_version_of_a_file_is_cached_forever(api: Api) -> None:
    for name in ("pages.css", "pages.js", "favicon.svg"):
        named, unnamed = api.client.get(asset_url(name)), api.client.get(asset_url(name).partition("?")[0])

        assert (named.status_code, named.content) == (200, asset(name).content)
        assert named.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert unnamed.headers["Cache-Control"] == "no-store"


def test_no_other_file_is_served(api: Api) -> None:
    folder = asset_url("pages.css").rpartition("/")[0]
    for name in ("assets.py", "PAGES.CSS"):
        assert api.get(f"{folder}/{name}").status == 404
    for name in ("", "..%2Fmodels.py"):
        # No route has these paths. A site answers them in its own way, and not in the envelope.
        assert api.client.get(f"{folder}/{name}").status_code == 404


def test_a_new_colour_of_the_brand_is_a_new_version(settings: Settings) -> None:
    plain, url = asset("pages.css").content.decode(), asset_url("pages.css")

    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "BRAND_COLOUR": "#ffcc00"}
    own = asset("pages.css").content.decode()

    assert asset_url("pages.css") != url
    assert "#ffcc00" not in plain
    assert re.findall(r"--accent: ([^;]+);", own)[-1] == "light-dark(#ffcc00, #ffcc00)"
    assert re.findall(r"--on-accent: ([^;]+);", own)[-1] == "light-dark(#000000, #000000)"
