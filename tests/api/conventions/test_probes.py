"""The probes of the standalone project."""

import pytest
from django.conf import settings
from pytest_django import DjangoAssertNumQueries

from tests.client import Api
from tests.rows import each

pytestmark = pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="a host project has a server of its own")

OK = {"data": {"status": "ok"}}


def test_liveness_asks_no_database(api: Api, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        assert api.get("/livez").body == OK


def test_readiness_is_ok_while_the_database_answers(api: Api) -> None:
    assert api.get("/readyz").body == OK


@each("path", ["/livez", "/readyz"])
@each("host", ["10.0.0.7:8000", "evil.example", "a b", "ä", ","])
def test_a_probe_needs_neither_a_known_host_nor_credentials(api: Api, path: str, host: str) -> None:
    assert api.get(path, headers={"Host": host}, token="garbage").body == OK


@pytest.mark.parametrize("path", ["/livez", "/readyz"])
@pytest.mark.parametrize(("method", "status"), [("HEAD", 200), ("POST", 405), ("DELETE", 405)])
def test_a_probe_accepts_only_get_and_head(api: Api, path: str, method: str, status: int) -> None:
    assert api.call(method, path).status == status
