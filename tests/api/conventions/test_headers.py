import re
from typing import Any

import pytest

from tests.client import Api
from tests.rows import each

ANYTHING = pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/health"),
        ("GET", "/v1/openapi.json"),
        ("POST", "/v1/login"),
        ("GET", "/v1/sessions"),
        ("GET", "/v1/nonsense"),
        ("PATCH", "/v1/login"),
        ("GET", "/v1/admin/users"),
    ],
)


def headers_of(api: Api, method: str, path: str, **headers: str) -> Any:
    return api.client.generic(method, path, headers=headers, content_type="application/json").headers


@ANYTHING
def test_every_answer_carries_the_usual_headers(api: Api, method: str, path: str) -> None:
    headers = headers_of(api, method, path)

    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Spec-Version"] == "1.1"
    assert headers["Content-Type"] == "application/json"
    assert re.fullmatch(r"[0-9a-f]{32}", headers["X-Request-ID"])


@each(
    "authorization, code",
    [
        ("", "missing_auth_header"),
        ("Bearer", "missing_auth_header"),
        ("Bearer ", "missing_auth_header"),
        ("Bearer x y", "missing_auth_header"),
        ("Bearer x\t", "missing_auth_header"),
        ("Bearer\tx", "missing_auth_header"),
        ("Bearer \u00a0x", "missing_auth_header"),
        ("Bearerx", "missing_auth_header"),
        ("Basic x", "missing_auth_header"),
        (" Bearer x", "missing_auth_header"),
        ("bEARER   x", "invalid_access_token"),
        ("Bearer \u00e4", "invalid_access_token"),
    ],
)
def test_the_token_is_one_word_after_the_scheme(api: Api, authorization: str, code: str) -> None:
    answer = api.get("/v1/sessions", headers={"Authorization": authorization})

    assert answer.code == code


@pytest.mark.parametrize("given", ["a", "a" * 64, "Req.2026-11_21", "0"])
def test_the_answer_contains_the_request_id_of_the_caller(api: Api, given: str) -> None:
    assert headers_of(api, "GET", "/v1/verify", **{"X-Request-ID": given})["X-Request-ID"] == given


@each("given", ["", "a" * 65, "a b", "a\r\nSet-Cookie: b=c", "ä", "<script>", "a/b", "a\n", "\uff11"])
def test_an_invalid_request_id_is_replaced(api: Api, given: str) -> None:
    assert re.fullmatch(
        r"[0-9a-f]{32}", headers_of(api, "GET", "/v1/verify", **{"X-Request-ID": given})["X-Request-ID"]
    )


def test_two_requests_have_two_ids(api: Api) -> None:
    assert headers_of(api, "GET", "/v1/verify")["X-Request-ID"] != headers_of(api, "GET", "/v1/verify")["X-Request-ID"]


@ANYTHING
def test_a_service_on_https_sends_the_hsts_header(api: Api, settings: Any, method: str, path: str) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "BASE_URL": "https://auth.example"}
    is_host = settings.ROOT_URLCONF != "config.urls"

    # The header applies to the whole domain, so in a host project the site decides about it.
    assert headers_of(api, method, path).get("Strict-Transport-Security") == (None if is_host else "max-age=31536000")

    settings.SECURE_HSTS_SECONDS, settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = 600, True
    assert headers_of(api, method, path)["Strict-Transport-Security"] == "max-age=600; includeSubDomains"


@ANYTHING
def test_a_service_on_http_sends_no_hsts_header(api: Api, method: str, path: str) -> None:
    assert "Strict-Transport-Security" not in headers_of(api, method, path)


def test_no_answer_sets_a_cookie(api: Api) -> None:
    api.post("/v1/login", {"email": "alice@example.com", "password": "wrong"})

    assert not api.client.cookies
