import re

import pytest

from core.http.tokens import tokens
from tests.client import Api
from tests.rows import each

ASSETS = {
    "favicon-32x32.png": "image/png",
    "swagger-ui.css": "text/css; charset=utf-8",
    "docs.css": "text/css; charset=utf-8",
    "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
    "docs.js": "text/javascript; charset=utf-8",
}


def page(api: Api, path: str = "/v1/docs") -> str:
    return str(api.client.get(path).content.decode())


def links(html: str) -> list[str]:
    return re.findall(r'(?:src|href)="([^"]+)"', html)


def test_the_page_is_html_under_a_strict_policy(api: Api) -> None:
    response = api.client.get("/v1/docs", headers={"Accept": "application/json"})

    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    policy = dict(part.strip().split(" ", 1) for part in response.headers["Content-Security-Policy"].split(";"))
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }


def test_the_page_has_a_title_and_a_viewport_for_phones(api: Api) -> None:
    html = page(api)

    assert '<html lang="en">' in html
    assert "<title>Gatehouse API reference</title>" in html
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in html


def test_the_page_has_no_inline_code_and_no_foreign_files(api: Api) -> None:
    html = page(api)

    assert re.findall(r"<script[^>]*>\s*[^<\s]|<style|\sstyle=|\son\w+=|javascript:", html) == []
    assert [link for link in links(html) if re.match(r"/|\w+:", link)] == []


@pytest.mark.parametrize("query", ["", "?v=", "?v=0123456789abcdef"])
def test_a_file_without_its_version_in_the_url_is_not_cached(api: Api, query: str) -> None:
    response = api.client.get(f"/v1/docs/docs.js{query}")

    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "no-store"


def test_the_page_links_exactly_its_files_and_they_are_immutable(api: Api) -> None:
    found = {}
    for link in links(page(api)):
        if link.startswith("docs/"):
            response = api.client.get(f"/v1/{link}")
            assert response.status_code == 200
            assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
            assert response.headers["X-Content-Type-Options"] == "nosniff"
            assert response.content
            found[link.removeprefix("docs/").partition("?")[0]] = response.headers["Content-Type"]

    assert found == ASSETS
    assert all(re.search(r"\?v=[0-9a-f]{16}$", link) for link in links(page(api)) if link.startswith("docs/"))


@each(
    "name",
    [
        "",
        "swagger-ui-bundle.js.map",
        "LICENSE",
        "index.html",
        "docs.html",
        "../docs.py",
        "..%2Fdocs.py",
        "%2e%2e/%2e%2e/manage.py",
        "%2Fetc%2Fpasswd",
        "docs.js/",
        "DOCS.JS",
    ],
)
def test_no_other_file_is_served(api: Api, name: str) -> None:
    answer = api.get(f"/v1/docs/{name}")

    assert (answer.status, answer.code) == (404, "not_found")


@pytest.mark.urls("tests.api.conventions.mixed_site")
def test_the_page_works_under_a_prefix(api: Api) -> None:
    html = page(api, "/auth/v1/docs")

    assert "docs/docs.js" in html
    assert all(api.client.get(f"/auth/v1/{link}").status_code == 200 for link in links(html))


def test_the_page_loads_the_openapi_document_by_a_relative_url(api: Api) -> None:
    script = api.client.get("/v1/docs/docs.js").content.decode()

    assert 'url: "openapi.json"' in script
    assert "http" not in script


def test_the_reference_has_the_design_tokens(api: Api) -> None:
    assert api.client.get("/v1/docs/docs.css").content.decode().startswith(tokens())
    assert "--ground" not in api.client.get("/v1/docs/swagger-ui.css").content.decode()
