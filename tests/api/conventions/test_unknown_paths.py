import pytest
from django.conf import settings

from tests.client import Api
from tests.people import Person


@pytest.mark.parametrize(
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
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS"])
def test_an_unknown_address_is_not_found_whatever_the_method(api: Api, path: str, method: str) -> None:
    answer = api.call(method, path)

    assert (answer.status, answer.code) == (404, "not_found")


@pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="elsewhere the other addresses are the site's")
@pytest.mark.parametrize("path", ["/v1", "/V1/login", "/mail/x", "/.well-known/", "/line%0Abreak", "/favicon.ico"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_address_outside_the_api_is_not_found_in_the_envelope_too(api: Api, path: str, method: str) -> None:
    answer = api.call(method, path)

    assert (answer.status, answer.code) == (404, "not_found")
    assert api.call(method, path, headers={"Host": "evil.example"}).code == "bad_request"


def test_nobody_is_asked_who_they_are_at_an_unknown_address(alice: Person) -> None:
    assert alice.api.get("/v1/nonsense", token="garbage").code == "not_found"
    assert alice.api.get("/v1/nonsense", token=alice.log_in().access).code == "not_found"


@pytest.mark.parametrize("path", ["/v1/administrators", "/v1/admin-users", "/v1/Admin"])
def test_what_only_starts_like_the_console_is_not_found(api: Api, path: str) -> None:
    assert api.get(path).code == "not_found"


@pytest.mark.parametrize("path", ["/v1/admin/line%0Abreak", "/v1/admin/%0A", "/v1/admin/users%0A"])
def test_a_line_break_does_not_lead_past_the_console(api: Api, path: str) -> None:
    assert api.get(path).code in {"missing_auth_header", "not_implemented_on_embedded_db"}
