import pytest
from django.conf import settings

from tests.client import Api
from tests.people import Person
from tests.rows import each


@each(
    "path",
    [
        "/v1/",
        "/v1/nonsense",
        "/v1/nonsense/and/more",
        "/v1//health",
        "/v1/health/",
        "/v1/login/",
        "/v1/Health",
        "/v1/sessions/",
        "/v1/%00",
        "/v1/%ff",
        "/v1/%0A",
        "/v1/line%0Abreak",
        "/v1/health%0A",
        "/v1/ünknown",
        "/v1/v1/health",
        "/v1/" + "a" * 4000,
    ],
)
@each("method", ["GET", "POST", "DELETE", "OPTIONS"])
def test_an_unknown_path_is_not_found_with_every_method(api: Api, path: str, method: str) -> None:
    answer = api.call(method, path)

    assert (answer.status, answer.code) == (404, "not_found")


@pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="elsewhere the other addresses are the site's")
@each("path", ["/v1", "/V1/login", "/mail/x", "/.well-known/", "/line%0Abreak", "/favicon.ico"])
@each("method", ["GET", "POST"])
def test_a_path_outside_the_api_is_not_found_in_the_envelope_too(api: Api, path: str, method: str) -> None:
    answer = api.call(method, path)

    assert (answer.status, answer.code) == (404, "not_found")
    assert api.call(method, path, headers={"Host": "evil.example"}).code == "bad_request"


def test_an_unknown_path_does_not_check_the_token(alice: Person) -> None:
    assert alice.api.get("/v1/nonsense", token="garbage").code == "not_found"
    assert alice.api.get("/v1/nonsense", token=alice.log_in().access).code == "not_found"


@pytest.mark.parametrize("path", ["/v1/administrators", "/v1/admin-users", "/v1/Admin"])
def test_a_path_that_only_resembles_the_console_is_not_found(api: Api, path: str) -> None:
    assert api.get(path).code == "not_found"


@pytest.mark.parametrize("path", ["/v1/admin/line%0Abreak", "/v1/admin/%0A", "/v1/admin/users%0A"])
def test_a_line_break_in_the_path_does_not_evade_the_console_checks(api: Api, path: str) -> None:
    assert api.get(path).code in {"missing_auth_header", "not_implemented_on_embedded_db"}
