import pytest
from django.conf import settings as site
from pytest_django import Settings

from tests.client import Api
from tests.rows import each

pytestmark = pytest.mark.skipif(
    "django.middleware.common.CommonMiddleware" in site.MIDDLEWARE,
    reason="a site's own middleware refuses such a Host before any view is asked",
)

FOREIGN = each("host", ["evil.example", "localhost.evil.example", "127.0.0.2", "a b", "[::2]", "ä", ","])


@FOREIGN
@each("path", ["/v1/verify", "/v1/nonsense", "/v1/openapi.json", "/v1/docs"])
def test_a_foreign_host_is_refused(api: Api, path: str, host: str) -> None:
    answer = api.get(path, headers={"Host": host})

    assert (answer.status, answer.code) == (400, "bad_request")
    assert host not in answer.body["error"]["message"] or host == ","


@FOREIGN
def test_health_answers_under_any_host(api: Api, host: str) -> None:
    assert api.get("/v1/health", headers={"Host": host}).data == {"status": "ok"}


def test_a_changed_list_of_hosts_counts_for_a_host_that_was_accepted_before(api: Api, settings: Settings) -> None:
    assert api.get("/v1/verify", headers={"Host": "localhost"}).code == "missing_auth_header"

    settings.ALLOWED_HOSTS = ["auth.example.com"]

    assert api.get("/v1/verify", headers={"Host": "localhost"}).code == "bad_request"
    assert api.get("/v1/verify", headers={"Host": "auth.example.com"}).code == "missing_auth_header"


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "LOCALHOST", "127.0.0.1:8000", "[::1]"])
def test_the_service_answers_under_its_own_host_names(api: Api, host: str) -> None:
    assert api.get("/v1/verify", headers={"Host": host}).code == "missing_auth_header"


def test_a_forwarded_host_header_is_ignored(api: Api) -> None:
    answer = api.get("/v1/verify", headers={"X-Forwarded-Host": "evil.example"})

    assert answer.code == "missing_auth_header"
