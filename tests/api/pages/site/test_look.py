"""The look of the pages: a stylesheet, a base template and templates of a site, by the examples in docs/pages.md."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.checks import run_checks

from core.http.tokens import TOKENS_FILE
from tests.pages import Browser, signed_in
from tests.people import Person

Configure = Callable[..., None]

DOCS = (Path(__file__).parents[4] / "docs/pages.md").read_text()
BASE = """<!DOCTYPE html><html><head><title>{% block title %}{% endblock %} | Library</title></head>
<body><nav>The library</nav>{% block content %}{% endblock %}</body></html>"""


def example(language: str) -> str:
    """Return the one example in the language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", DOCS, re.DOTALL)
    return str(found)


def test_ten_lines_of_the_docs_restyle_every_page(
    browser: Browser, alice: Person, configure: Configure, tmp_path: Path
) -> None:
    rules = example("css")
    (tmp_path / "brand.css").write_text(rules)
    configure(PAGES_STYLESHEET=str(tmp_path / "brand.css"))

    used = set(re.findall(r"(--[a-z-]+):", rules))
    assert used - set(re.findall(r"(--[a-z-]+):", TOKENS_FILE.read_text())) == set()
    assert len(rules.splitlines()) <= 10
    for page in (browser.open("authsvc-sign-in"), signed_in(alice).open("authsvc-account")):
        own, site = re.findall(r'<link rel="stylesheet" href="([^"]+)"', page.text)
        assert "pages.css" in own
        served = page.client.get(site, headers={"Host": "localhost:8000"})
        assert served.content.decode() == rules
        assert served.headers["Content-Type"] == "text/css; charset=utf-8"


def test_without_the_setting_there_is_no_stylesheet_of_the_site(browser: Browser, db: None) -> None:
    assert len(re.findall('rel="stylesheet"', browser.open("authsvc-sign-in").text)) == 1
    assert browser.open("authsvc-page-asset", "site.css").status == 404


def test_a_template_of_the_docs_replaces_one_block_of_one_page(browser: Browser, db: None, templates: Path) -> None:
    (templates / "authsvc_pages/sign_in.html").write_text(example("html"))

    browser.open("authsvc-sign-in")

    assert "<h1>Welcome back to the library</h1>" in browser.text
    assert browser.shows_form("authsvc-sign-in")


def test_the_pages_appear_in_the_template_of_the_site(
    browser: Browser, alice: Person, configure: Configure, templates: Path
) -> None:
    (templates / "base.html").write_text(BASE)
    (templates / "brand.css").write_text(":root { --accent: #0b6e4f; } .card { box-shadow: none; }")
    configure(PAGES_BASE_TEMPLATE="base.html", PAGES_STYLESHEET=str(templates / "brand.css"))

    for page, frame in (
        (browser.open("authsvc-sign-in"), "single"),
        (signed_in(alice).open("authsvc-account"), "account"),
    ):
        assert page.status == 200
        assert re.search(r"<title>[^<\n]+ \| Library</title>", page.text)
        assert page.text.count("<html") == page.text.count("<body") == page.text.count("<main") == 1
        assert "<nav>The library</nav>" in page.text
        assert re.search(rf'<div class="authsvc">\s*<div class="{frame}">', page.text)
        assert "Content-Security-Policy" not in page.page.headers
        assert page.page.headers["X-Frame-Options"] == "DENY"
        styles = re.findall(r'<link rel="stylesheet" href="([^"]+)"', page.text)
        assert len(styles) == 2
        for href in styles:
            rules = page.client.get(href, headers={"Host": "localhost:8000"}).content
            assert rules.startswith(b"@scope (.authsvc) {")
            assert rules.count(b"{") == rules.count(b"}")
            assert b":root" not in rules
    browser.submit("authsvc-sign-in", email=alice.email)
    browser.submit("authsvc-sign-in", password="wrong")
    assert (browser.status, browser.text.count("| Library</title>")) == (401, 1)


def test_a_failure_is_shown_without_the_template_of_the_site(
    browser: Browser, db: None, configure: Configure, templates: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (templates / "base.html").write_text(
        "{% block title %}{% endblock %}{% block content %}{% endblock %}{{ 1|nothing }}"
    )
    configure(PAGES_BASE_TEMPLATE="base.html")

    browser.open("authsvc-sign-in")

    assert browser.status == 500
    assert "Content-Security-Policy" in browser.page.headers


def test_the_check_names_a_base_template_that_does_not_exist(configure: Configure) -> None:
    configure(PAGES_BASE_TEMPLATE="nonsense.html")

    assert "authsvc.E033" in {one.id for one in run_checks(tags=["templates"])}


def test_every_page_of_the_pages_works_without_the_static_files_app(browser: Browser, db: None) -> None:
    browser.open("authsvc-sign-in")

    paths = re.findall(r'(?:href|src)="([^"]+\?v=[0-9a-f]+)"', browser.text)
    answers = [browser.client.get(path, headers={"Host": "localhost:8000"}) for path in paths]

    assert len(paths) >= 3
    assert {(answer.status_code, answer.headers["Cache-Control"]) for answer in answers} == {
        (200, "public, max-age=31536000, immutable")
    }
