import pytest
from django.conf import settings as configured
from pytest_django import Settings

from tests.client import Api

pytestmark = pytest.mark.skipif(configured.ROOT_URLCONF != "config.urls", reason="a host site configures CORS itself")

APP = "https://app.example.com"
PREFLIGHT = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization, x-request-id"}


@pytest.fixture(autouse=True)
def _allow(settings: Settings) -> None:
    settings.CORS_ALLOWED_ORIGINS = [APP]
    settings.MIDDLEWARE = ["config.serving.cors.complete_headers", "corsheaders.middleware.CorsMiddleware"]


def test_a_page_of_an_allowed_origin_can_call_the_api() -> None:
    answer = Api().get("/v1/health", headers={"Origin": APP})

    assert answer.headers["Access-Control-Allow-Origin"] == APP
    assert "X-Request-ID" in answer.headers["Access-Control-Expose-Headers"]
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
    own = {"authorization", "content-type", "idempotency-key", "x-api-key", "x-request-id"}
    assert allowed == {*own, "traceparent"}
    assert response.headers["X-Request-ID"] == "of-the-caller"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Spec-Version"] == "1.1"


def test_a_preflight_from_another_origin_gets_no_permission() -> None:
    response = Api().client.options("/v1/sessions", headers={"Origin": "https://evil.example", **PREFLIGHT})

    assert "Access-Control-Allow-Origin" not in response.headers
    assert response.headers["X-Content-Type-Options"] == "nosniff"
