"""Compression by gzip: of public documents always, and of pages with secrets only for requests of the own site."""

import gzip

import pytest
from django.test import Client

from core.http.docs import asset
from tests.pages import Browser
from tests.rows import each

GZIP = "br;q=1.0, gzip;q=0.8, *;q=0.1"


@each(
    "accepted, is_compressed",
    [(GZIP, True), ("gzip", True), ("*", True), ("", False), ("br, deflate", False), ("gzip;q=0", False)],
)
def test_the_reference_is_compressed_for_a_client_that_accepts_it(accepted: str, is_compressed: bool) -> None:
    for path in ("/v1/docs/swagger-ui.css", "/v1/openapi.json", "/v1/docs"):
        answer = Client().get(path, headers={"Accept-Encoding": accepted})

        assert "Accept-Encoding" in answer.headers["Vary"]
        assert answer.headers["Content-Length"] == str(len(answer.content))
        assert (answer.headers.get("Content-Encoding") == "gzip") is is_compressed
    css = Client().get("/v1/docs/swagger-ui.css", headers={"Accept-Encoding": accepted}).content
    assert (gzip.decompress(css) if is_compressed else css) == asset("swagger-ui.css").content


def test_a_picture_and_a_short_answer_stay_as_they_are() -> None:
    for path in ("/v1/docs/favicon-32x32.png", "/v1/docs/unknown"):
        assert "Content-Encoding" not in Client().get(path, headers={"Accept-Encoding": GZIP}).headers


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("site", "is_compressed"),
    [("same-origin", True), ("none", True), ("same-site", False), ("cross-site", False), ("", False)],
)
def test_a_page_is_compressed_only_when_no_other_site_caused_the_request(site: str, is_compressed: bool) -> None:
    stated = {"Sec-Fetch-Site": site} if site else {}
    browser = Browser().open("authsvc-sign-in", headers={"Accept-Encoding": GZIP, **stated})

    assert browser.status == 200
    assert (browser.page.headers.get("Content-Encoding") == "gzip") is is_compressed
