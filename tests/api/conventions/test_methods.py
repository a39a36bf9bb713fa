import logging

import pytest

from tests.client import Api
from tests.people import Person, existing_session
from tests.rows import each

OTHERS = ["PUT", "PATCH", "TRACE", "OPTIONS", "CONNECT", "PROPFIND", "NONSENSE"]


@each(
    "path, allow",
    [("/v1/login", "POST"), ("/v1/health", "GET"), ("/v1/docs", "GET"), ("/v1/openapi.json", "GET")],
)
@each("method", OTHERS)
def test_another_method_is_refused_and_the_valid_ones_are_named(api: Api, method: str, path: str, allow: str) -> None:
    answer = api.call(method, path)

    assert (answer.status, answer.code) == (405, "method_not_allowed")
    assert answer.headers["Allow"] == allow


@pytest.mark.parametrize("method", OTHERS)
def test_a_users_route_checks_the_token_before_the_method(alice: Person, method: str) -> None:
    session = existing_session(alice)

    assert alice.api.call(method, "/v1/sessions").code == "missing_auth_header"
    answer = alice.api.call(method, "/v1/sessions", token=session.access)
    assert (answer.code, answer.headers["Allow"]) == ("method_not_allowed", "GET")


@pytest.mark.parametrize("path", ["/v1/health", "/v1/verify", "/v1/sessions"])
def test_head_returns_the_answer_of_get_without_the_body(alice: Person, path: str) -> None:
    token = existing_session(alice).access

    head = alice.api.call("HEAD", path, token=token)
    get = alice.api.call("GET", path, token=token)

    assert (head.status, head.body) == (get.status, None)
    assert head.headers.keys() == get.headers.keys()


@pytest.mark.parametrize(
    ("method", "logged"),
    [
        *(
            (method, method)
            for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT")
        ),
        *((method, "other") for method in ("PROPFIND", "SRT_SESAME", "X" * 20_000)),
    ],
    ids=lambda method: method[:10],
)
def test_only_a_standard_method_is_logged_by_name(
    api: Api, caplog: pytest.LogCaptureFixture, method: str, logged: str
) -> None:
    with caplog.at_level(logging.INFO, logger="authsvc.access"):
        api.call(method, "/v1/login")

    (line,) = [record for record in caplog.records if record.name == "authsvc.access"]
    assert vars(line)["method"] == logged


def test_head_needs_the_token_too(api: Api) -> None:
    assert api.call("HEAD", "/v1/sessions").status == 401


def test_head_is_refused_on_a_post_route(api: Api) -> None:
    answer = api.call("HEAD", "/v1/login")

    assert (answer.status, answer.headers["Allow"]) == (405, "POST")
