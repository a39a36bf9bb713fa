"""The page at `/`."""

import re
from typing import Any

import pytest
from django.conf import settings as project
from django.test import Client

from core.db.deployment import is_embedded
from tests.rows import each

pytestmark = pytest.mark.skipif(project.ROOT_URLCONF != "config.urls", reason="a host project has a page of its own")

HERE = {"Host": "localhost:8000"}


def test_the_root_page_leads_to_the_sign_in_and_to_the_docs() -> None:
    page = Client().get("/", headers=HERE)

    assert (page.status_code, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    html = page.content.decode()
    assert "<h1>Welcome</h1>" in html
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    assert not re.search(r"<style|\son[a-z]+=|\sstyle=|https?://", html)
    linked = re.findall(r'href="/?([^"#:]+)"', html)
    assert {"sign-in", "v1/docs"} <= set(linked)
    assert ("console/" in linked) != is_embedded()
    expected = {link: 303 if link == "console/" else 200 for link in linked}
    assert {link: Client().get(f"/{link}", headers=HERE).status_code for link in linked} == expected


def test_the_root_page_has_the_language_of_the_browser() -> None:
    page = Client().get("/", headers={**HERE, "Accept-Language": "ja"})

    assert '<html lang="ja">' in page.content.decode()


@pytest.mark.parametrize(("method", "status"), [("HEAD", 200), ("POST", 405), ("DELETE", 405)])
def test_the_root_page_accepts_only_get_and_head(method: str, status: int) -> None:
    headers = {**HERE, "Sec-Fetch-Site": "same-origin"}

    assert Client().generic(method, "/", headers=headers).status_code == status


@each("host", ["127.0.0.1:8000", "[::1]", "localhost."])
@each("method", ["GET", "HEAD"])
def test_another_host_name_redirects_to_the_same_path_at_base_url(method: str, host: str) -> None:
    answer = Client().generic(method, "/?next=//evil.example", headers={"Host": host})

    assert answer.status_code == 302
    assert answer.headers["Location"] == "http://localhost:8000/?next=//evil.example"
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "LOCALHOST:9000"},
        {"Host": "127.0.0.1", "X-Forwarded-For": "192.0.2.1"},
        {"Host": "127.0.0.1", "Via": "1.1 proxy"},
    ],
)
def test_a_host_name_that_a_proxy_may_have_replaced_causes_no_redirect(headers: dict[str, str]) -> None:
    assert Client().get("/", headers=headers).status_code == 200


def test_a_proxy_in_front_of_http_causes_no_redirect_to_https(settings: Any) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "BASE_URL": "https://auth.example.com"}

    assert Client().get("/", headers=HERE).status_code == 200


def test_a_foreign_host_name_gets_no_redirect() -> None:
    assert Client().get("/", headers={"Host": "evil.example"}).status_code == 400
