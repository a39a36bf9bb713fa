"""The pages behind mailed links. The browser tests cover their scripts."""

import re
from typing import Any
from urllib.parse import urljoin

import pytest
from django.test import Client
from django.urls import resolve
from pytest_django import Settings

from accounts.checks import check_mail_pages
from accounts.models import MailToken
from tests.mails import delivered, text_of
from tests.people import Person

PAGES = [
    "/mail/magic-link",
    "/mail/email-change",
    "/mail/email-undo",
    "/mail/verify-email",
    "/mail/password-reset",
    "/mail/recovery-cancel",
    "/mail/recovery-complete",
]
ASSETS = {"/mail/page.css": "text/css; charset=utf-8", "/mail/page.js": "text/javascript; charset=utf-8"}


def answered(path: str, *, method: str = "GET") -> Any:
    return Client().generic(method, path)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_cannot_be_cached_or_framed_and_loads_nothing_from_other_origins(path: str) -> None:
    page = answered(path)

    assert (page.status_code, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert page.headers["Cache-Control"] == "no-store"
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    html = page.content.decode()
    assert not re.search(r"<style|<script>|\son[a-z]+=|\sstyle=|https?://", html)
    linked = re.findall(r'<(?:link rel="stylesheet" href|script src)="([^"]+)"', html)
    assert {urljoin(path, link) for link in linked} == set(ASSETS)


@pytest.mark.parametrize("path", ASSETS)
def test_each_file_of_the_pages_is_served(path: str) -> None:
    file = answered(path)

    assert (file.status_code, file.headers["Content-Type"]) == (200, ASSETS[path])
    assert file.headers["X-Content-Type-Options"] == "nosniff"
    assert b"https://" not in file.content


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/mail/magic-link", "v1/magic-link/complete"),
        ("/mail/email-change", "v1/email/confirm-change"),
        ("/mail/email-undo", "v1/email/undo-change"),
        ("/mail/verify-email", "v1/email/verify/confirm"),
        ("/mail/password-reset", "v1/password/reset"),
        ("/mail/recovery-cancel", "v1/recovery/cancel"),
        ("/mail/recovery-complete", "v1/recovery/complete"),
    ],
)
def test_a_page_posts_to_the_route_that_takes_its_token(path: str, route: str) -> None:
    (endpoint,) = re.findall(r'<main data-endpoint="([^"]+)"', answered(path).content.decode())

    assert resolve(urljoin(path, endpoint)).route == route


def test_routes_and_pages_can_have_different_prefixes(alice: Person, settings: Settings) -> None:
    settings.ROOT_URLCONF = "tests.api.accounts.scattered_site"

    alice.api.client.post("/auth/v1/magic-link/request", {"email": alice.email}, content_type="application/json")
    (mail,) = delivered(alice.email)
    match = re.search(r"http://localhost:8000(/pages/mail/magic-link)#token=(\S+)", text_of(mail))
    assert match is not None
    (endpoint,) = re.findall(r'data-endpoint="([^"]+)"', answered(match[1]).content.decode())

    assert endpoint == "/auth/v1/magic-link/complete"
    assert 'data-endpoint="/auth/v1/email/confirm-change"' in answered("/pages/mail/email-change").content.decode()
    assert Client().post(endpoint, {"token": match[2]}, content_type="application/json").status_code == 200


def test_a_page_whose_route_is_not_mounted_is_not_found(settings: Settings) -> None:
    settings.ROOT_URLCONF = "tests.api.accounts.partial_site"

    assert answered("/mail/magic-link").status_code == 404
    assert [found.id for found in check_mail_pages()] == ["authsvc.W012"] * 4


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_opening_a_link_does_not_use_the_token(alice: Person, method: str) -> None:
    alice.api.post("/v1/magic-link/request", {"email": alice.email})
    (mail,) = delivered(alice.email)
    match = re.search(r"http://localhost:8000(/mail/magic-link)#token=(\S+)", text_of(mail))
    assert match is not None

    # Some link scanners move the token into the query. They get the page too, and the token stays valid.
    for path in (match[1], f"{match[1]}?token={match[2]}"):
        assert answered(path, method=method).status_code == 200

    assert MailToken.objects.get().spent_at is None
    assert alice.api.post("/v1/magic-link/complete", {"token": match[2]}).status == 200


@pytest.mark.parametrize("path", [*PAGES, *ASSETS])
def test_a_page_refuses_other_methods(path: str) -> None:
    answer = answered(path, method="POST")

    assert answer.status_code == 405
    assert answer.headers["Allow"] == "GET"
