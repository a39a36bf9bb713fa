"""The script of the element `<ask-ai>` and its demo page. The browser tests cover the behaviour of the element."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from django.test import Client
from pytest_django import Settings

import askai
from tests.client import Api
from tests.operators import only_on_embedded, only_on_full

SCRIPT = "/v1/ask-ai/ask-ai.js"
DEMO = "/v1/ask-ai/demo"
DEMO_ASSETS = {
    "/v1/ask-ai/demo.css": "text/css; charset=utf-8",
    "/v1/ask-ai/demo.js": "text/javascript; charset=utf-8",
}
OLD_VERSION = "/v1/ask-ai/ask-ai-0123456789abcdef.js"
PATHS = [SCRIPT, OLD_VERSION, DEMO, *DEMO_ASSETS]


def answered(path: str) -> Any:
    return Client().get(path)


def current_version() -> Any:
    """Follow the redirect of the embedded URL."""
    return answered(urljoin(SCRIPT, answered(SCRIPT).headers["Location"]))


@only_on_full
def test_the_embedded_url_redirects_to_the_current_version_for_a_short_time() -> None:
    redirect = answered(SCRIPT)

    assert redirect.status_code == 302
    assert re.fullmatch(r"ask-ai-[0-9a-f]{16}\.js", redirect.headers["Location"])
    assert redirect.headers["Cache-Control"] == "public, max-age=300"
    assert redirect.headers["Cross-Origin-Resource-Policy"] == "cross-origin"


@only_on_full
def test_browsers_cache_a_version_forever_and_pages_of_every_origin_can_load_it() -> None:
    script = current_version()

    assert script.status_code == 200
    assert script.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert script.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert script.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert script.headers["X-Content-Type-Options"] == "nosniff"
    assert "Set-Cookie" not in script.headers
    assert script.content == (Path(askai.__file__).parent / "static/ask-ai.js").read_bytes()


@only_on_full
def test_another_version_gets_the_current_script_without_a_cache() -> None:
    script = answered(OLD_VERSION)

    assert (script.status_code, script.headers["Cache-Control"]) == (200, "no-store")
    assert script.content == current_version().content


@only_on_full
def test_the_script_is_smaller_than_15_kb_and_names_no_other_origin() -> None:
    content = current_version().content

    assert len(content) < 15_000
    assert b"://" not in content


@only_on_full
def test_the_script_uses_no_way_to_make_markup_or_code_from_text() -> None:
    forbidden = rb"innerHTML|outerHTML|insertAdjacentHTML|setHTML|document\.write|DOMParser|eval\(|new Function|cssText|\.style\b"

    assert re.findall(forbidden, current_version().content) == []


@only_on_full
def test_the_demo_page_cannot_be_cached_or_framed_and_loads_nothing_from_other_origins() -> None:
    page = answered(DEMO)

    assert (page.status_code, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert page.headers["Cache-Control"] == "no-store"
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    html = page.content.decode()
    assert not re.search(r"<style|<script>|\son[a-z]+=|\sstyle=|https?://", html)
    linked = re.findall(r'<(?:link rel="stylesheet" href|script src)="([^"]+)"', html)
    assert {f"/v1/ask-ai/{link}" for link in linked} == {SCRIPT, *DEMO_ASSETS}


@only_on_full
@pytest.mark.parametrize("path", DEMO_ASSETS)
def test_each_file_of_the_demo_page_is_served(path: str) -> None:
    file = answered(path)

    assert (file.status_code, file.headers["Content-Type"]) == (200, DEMO_ASSETS[path])
    assert file.headers["X-Content-Type-Options"] == "nosniff"
    assert "Cross-Origin-Resource-Policy" not in file.headers


@only_on_full
@pytest.mark.parametrize("path", PATHS)
def test_the_files_need_no_database(path: str) -> None:
    # This test may not use the database, so a query would raise an error.
    assert answered(path).status_code in {200, 302}


@only_on_full
@pytest.mark.parametrize("path", PATHS)
def test_without_a_key_for_settings_there_is_no_script_and_no_page(api: Api, settings: Settings, path: str) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "SETTINGS_ENCRYPTION_KEY": ""}

    answer = api.get(path)

    assert (answer.status, answer.code) == (404, "not_configured")


@only_on_embedded
@pytest.mark.parametrize("path", PATHS)
def test_an_embedded_deployment_has_no_script_and_no_page(api: Api, path: str) -> None:
    answer = api.get(path)

    assert (answer.status, answer.code) == (404, "not_configured")
