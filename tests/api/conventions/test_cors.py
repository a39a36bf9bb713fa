import logging
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.conf import settings as configured
from pytest_django import Settings

from tests.client import Api

pytestmark = pytest.mark.skipif(configured.ROOT_URLCONF != "config.urls", reason="a host site configures CORS itself")

APP = "https://app.example.com"
PREFLIGHT = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization, x-request-id"}


@pytest.fixture(autouse=True)
def _allow(settings: Settings) -> None:
    settings.CORS_ALLOWED_ORIGINS = [APP]
    settings.CORS_ALLOWED_ORIGIN_REGEXES = [r"http://localhost(:[0-9]+)?\Z"]
    settings.MIDDLEWARE = [
        "config.serving.cors.report_refused_origins",
        "config.serving.cors.complete_headers",
        "corsheaders.middleware.CorsMiddleware",
    ]


def test_a_page_of_an_allowed_origin_can_call_the_api() -> None:
    answer = Api().get("/v1/health", headers={"Origin": APP})

    assert answer.headers["Access-Control-Allow-Origin"] == APP
    assert "X-Request-ID" in answer.headers["Access-Control-Expose-Headers"]
    assert "DPoP-Nonce" in answer.headers["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Credentials" not in answer.headers


@pytest.mark.parametrize("origin", ["https://evil.example", "null", f"{APP}.evil.example", "http://app.example.com"])
def test_a_page_of_another_origin_cannot_call_the_api(origin: str) -> None:
    answer = Api().get("/v1/health", headers={"Origin": origin})

    assert "Access-Control-Allow-Origin" not in answer.headers


def test_a_preflight_answer_has_the_usual_headers() -> None:
    headers = {"Origin": APP, "X-Request-ID": "of-the-caller", **PREFLIGHT}

    response = Api().client.options("/v1/sessions", headers=headers)

    assert response.status_code == 200
    allowed = {name.strip() for name in response.headers["Access-Control-Allow-Headers"].lower().split(",")}
    own = {"authorization", "content-type", "dpop", "idempotency-key", "x-api-key", "x-request-id"}
    assert allowed == {*own, "traceparent"}
    assert response.headers["X-Request-ID"] == "of-the-caller"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Spec-Version"] == "1.1"


def test_a_preflight_from_another_origin_gets_no_permission() -> None:
    response = Api().client.options("/v1/sessions", headers={"Origin": "https://evil.example", **PREFLIGHT})

    assert "Access-Control-Allow-Origin" not in response.headers
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def refused(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the origins that the log names so far."""
    return [record.__dict__["origin"] for record in caplog.records if record.name == "authsvc.cors"]


@pytest.mark.parametrize("allows_origins", [True, False])
def test_the_log_names_a_refused_origin_and_the_setting_once_a_minute(
    allows_origins: bool, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    if not allows_origins:
        settings.MIDDLEWARE = settings.MIDDLEWARE[:1]
    api = Api()
    page = {"Origin": "http://localhost.example:5173", **PREFLIGHT}

    with time_machine.travel(datetime(2026, 3, 1, 12, tzinfo=UTC), tick=False) as travel:
        api.client.options("/v1/login", headers=page)
        api.client.options("/v1/sessions", headers=page)
        assert refused(caplog) == [page["Origin"]]
        travel.shift(timedelta(minutes=1))
        api.get("/v1/health", headers={"Origin": "null"})

    assert refused(caplog) == [page["Origin"], "null"]
    assert all(
        "CORS_ALLOWED_ORIGINS" in record.getMessage() for record in caplog.records if record.name == "authsvc.cors"
    )
    assert [record.levelno for record in caplog.records if record.name == "authsvc.cors"] == [logging.WARNING] * 2


@pytest.mark.parametrize(
    ("path", "origin"),
    [
        ("/v1/health", APP),
        ("/v1/health", "http://localhost:5173"),
        ("/v1/health", "http://localhost:8000"),
        ("/v1/health", "https://127.0.0.1:8443"),
        ("/v1/ask-ai/query", "https://evil.example"),
        ("/mail/magic-link", "https://evil.example"),
    ],
)
def test_the_log_names_no_origin_that_cors_does_not_refuse(
    path: str, origin: str, caplog: pytest.LogCaptureFixture
) -> None:
    Api().client.get(path, headers={"Origin": origin, "Host": "127.0.0.1:8443"})

    assert refused(caplog) == []


def test_a_refused_origin_cannot_fill_a_log_line(caplog: pytest.LogCaptureFixture) -> None:
    Api().get("/v1/health", headers={"Origin": f"https://{'a.' * 2000}example"})

    (origin,) = refused(caplog)
    assert len(origin) <= 256
