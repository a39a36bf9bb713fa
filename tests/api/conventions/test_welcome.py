"""The page at `/`."""

import re

import pytest
from django.conf import settings
from django.test import Client

pytestmark = pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="a host project has a page of its own")


def test_the_root_page_names_the_service_and_links_to_the_docs() -> None:
    page = Client().get("/")

    assert (page.status_code, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    html = page.content.decode()
    assert "This is an authentication service." in html
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    assert not re.search(r"<style|<script|\son[a-z]+=|\sstyle=|https?://", html)
    linked = re.findall(r'href="([^"#:]+)"', html)
    assert "v1/docs" in linked
    assert {link: Client().get(f"/{link}").status_code for link in linked} == dict.fromkeys(linked, 200)


@pytest.mark.parametrize(("method", "status"), [("HEAD", 200), ("POST", 405), ("DELETE", 405)])
def test_the_root_page_accepts_only_get_and_head(method: str, status: int) -> None:
    assert Client().generic(method, "/").status_code == status
