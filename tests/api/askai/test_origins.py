"""Only pages of the widget's origins can ask questions and read the answers."""

from typing import Any

import pytest
from django.conf import settings as project
from pytest_django import Settings

from core.db.deployment import is_embedded
from tests.client import Api
from tests.people import Person, existing_session
from tests.rows import each

from .deployment import ORIGIN, Deployment, ask

PATHS = ["/v1/ask-ai", "/v1/ask-ai/widget"]
METHODS = {"/v1/ask-ai": "POST", "/v1/ask-ai/widget": "GET"}


def preflight(path: str, origin: str, **headers: str) -> Any:
    """Send the preflight request of a browser for the path, from another origin."""
    asked = {"Origin": origin, "Access-Control-Request-Method": METHODS[path], **headers}
    return Api().client.generic("OPTIONS", path, headers=asked)


def shared_with(headers: Any) -> dict[str, str]:
    """Return the CORS headers that let a page call or read."""
    titled = {name.title(): value for name, value in headers.items()}
    return {name: value for name, value in titled.items() if name.startswith("Access-Control-")}


@pytest.mark.parametrize("path", PATHS)
def test_a_preflight_from_an_origin_of_the_widget_is_allowed(deployment: Deployment, path: str) -> None:
    deployment.open()

    answer = preflight(path, ORIGIN, **{"Access-Control-Request-Headers": "authorization,content-type"})

    assert (answer.status_code, answer.content) == (204, b"")
    assert shared_with(answer.headers) == {
        "Access-Control-Allow-Origin": ORIGIN,
        "Access-Control-Allow-Methods": METHODS[path],
        "Access-Control-Allow-Headers": "Authorization, Content-Type, X-Request-ID",
        "Access-Control-Expose-Headers": "Retry-After, X-Request-ID",
    }
    assert answer.headers["Vary"] == "Origin"
    assert "Content-Type" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-store"


@each("origin", ["null", "https://elsewhere.example", "*", "", "https://app.example.com.evil.example"])
@each("path", PATHS)
def test_a_preflight_from_another_origin_is_refused(deployment: Deployment, path: str, origin: str) -> None:
    deployment.open()

    answer = preflight(path, origin)

    assert answer.status_code == 403
    assert not shared_with(answer.headers)
    assert answer.headers["Vary"] == "Origin"


@pytest.mark.parametrize("path", PATHS)
def test_a_preflight_without_a_widget_setting_is_not_found(deployment: Deployment, path: str) -> None:
    answer = preflight(path, ORIGIN)

    assert answer.status_code == 404
    assert not shared_with(answer.headers)


@pytest.mark.parametrize("path", PATHS)
def test_an_options_request_other_than_a_preflight_is_refused(deployment: Deployment, alice: Person, path: str) -> None:
    deployment.open()
    session = existing_session(alice)

    assert session.api.call("OPTIONS", path, headers={"Origin": ORIGIN}).code == "missing_auth_header"
    answer = session.api.call("OPTIONS", path, token=session.access)
    assert (answer.code, answer.headers["Allow"]) == ("method_not_allowed", METHODS[path])


@pytest.mark.parametrize(
    ("allowed", "origin"),
    [
        ("https://app.example.com", "https://app.example.com"),
        ("https://app.example.com", "https://app.example.com:443"),
        ("https://app.example.com:443", "https://app.example.com"),
        ("http://app.example.com:80", "http://app.example.com"),
        ("HTTPS://App.Example.COM", "https://app.example.com"),
        ("http://localhost:5173", "http://localhost:5173"),
        ("http://[::1]:5173", "http://[::1]:5173"),
    ],
)
def test_origins_are_compared_by_scheme_host_and_port(
    deployment: Deployment, alice: Person, allowed: str, origin: str
) -> None:
    deployment.open(allowed_origins=["https://other.example", allowed])

    answer = ask(existing_session(alice), "Show my sessions", Origin=origin)

    assert answer.status == 200
    assert answer.headers["Access-Control-Allow-Origin"] == origin


@each(
    "origin",
    [
        "null",
        "",
        "*",
        "http://app.example.com",
        "https://app.example.com:8443",
        "https://app.example.com.evil.example",
        "https://evil.example/app.example.com",
        "https://app.example.com@evil.example",
        "https://app.example.com, https://evil.example",
        "https://app.example.com:99999",
        "https://[::1",
        "file://",
        "chrome-extension://abcdefgh",
    ],
)
def test_another_origin_is_refused_and_cannot_read_the_answer(
    deployment: Deployment, alice: Person, origin: str
) -> None:
    deployment.open()

    answer = ask(existing_session(alice), "Show my sessions", Origin=origin)

    assert (answer.status, answer.code) == (403, "origin_not_allowed")
    assert not shared_with(answer.headers)
    assert answer.headers["Vary"] == "Origin"


def test_a_request_without_an_origin_is_accepted(deployment: Deployment, alice: Person) -> None:
    deployment.open(allowed_origins=[])

    answer = ask(existing_session(alice), "Show my sessions")

    assert answer.status == 200
    assert not shared_with(answer.headers)


def test_a_page_can_read_errors_too(deployment: Deployment, alice: Person) -> None:
    deployment.open()
    session = existing_session(alice)
    origin = {"Origin": ORIGIN}

    answers = [
        session.api.post("/v1/ask-ai", {}, headers=origin),
        session.api.post("/v1/ask-ai", {}, token="x", headers=origin),
        ask(session, "", **origin),
        ask(session, "asdf", **origin),
    ]
    deployment.use_widget(enabled=False)
    answers.append(ask(session, "asdf", **origin))

    assert [answer.code for answer in answers] == [
        "missing_auth_header",
        "invalid_access_token",
        "invalid_question",
        "question_not_answerable",
        "ask_ai_widget_disabled",
    ]
    assert {answer.headers["Access-Control-Allow-Origin"] for answer in answers} == {ORIGIN}


@pytest.mark.parametrize("path", ["/v1/sessions", "/v1/login", "/v1/ask-ai/nothing"])
def test_the_widgets_origins_apply_to_no_other_route(deployment: Deployment, alice: Person, path: str) -> None:
    deployment.open()
    session = existing_session(alice)

    answers = [session.api.call(method, path, headers={"Origin": ORIGIN}) for method in ("GET", "POST", "OPTIONS")]

    assert not any(shared_with(answer.headers) for answer in answers)


@pytest.mark.skipif(not hasattr(project, "CORS_URLS_REGEX"), reason="a host site configures CORS itself")
def test_the_origins_of_the_other_routes_do_not_apply_to_questions(
    deployment: Deployment, alice: Person, settings: Settings
) -> None:
    deployment.open()
    settings.MIDDLEWARE = ["corsheaders.middleware.CorsMiddleware"]
    settings.CORS_ALLOWED_ORIGINS = ["https://elsewhere.example"]
    # A test client keeps the middleware of its first request.
    session = alice.log_in(Api())
    elsewhere = {"Origin": "https://elsewhere.example"}
    refused = [
        ask(session, "Show my sessions", **elsewhere),
        session.api.get("/v1/sessions", headers={"Origin": ORIGIN}),
    ]

    assert not any(shared_with(answer.headers) for answer in refused)
    assert preflight("/v1/ask-ai", "https://elsewhere.example").status_code == 403
    assert preflight("/v1/ask-ai", ORIGIN).status_code == 204
    assert shared_with(session.api.get("/v1/sessions", headers=elsewhere).headers)


@pytest.mark.skipif(not is_embedded(), reason="a full deployment can be set up")
@pytest.mark.parametrize("path", PATHS)
def test_an_embedded_deployment_answers_no_question_and_sends_no_cors_headers(alice: Person, path: str) -> None:
    session = existing_session(alice)

    answer = session.api.call(METHODS[path], path, {"question": 5}, token=session.access, headers={"Origin": ORIGIN})
    asked = preflight(path, ORIGIN)

    assert (answer.status, answer.code) == (404, "not_configured")
    assert session.api.call(METHODS[path], path).code == "missing_auth_header"
    assert asked.status_code == 404
    assert not shared_with(answer.headers) | shared_with(asked.headers)
    assert "Vary" not in answer.headers
