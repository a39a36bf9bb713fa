import pytest

from tests.client import Api


def test_health_is_ok_while_the_database_answers(api: Api) -> None:
    answer = api.get("/v1/health")

    assert (answer.status, answer.body) == (200, {"data": {"status": "ok"}})


@pytest.mark.parametrize("token", ["garbage", "", "a b"])
def test_health_ignores_the_token(api: Api, token: str) -> None:
    assert api.get("/v1/health", token=token).status == 200


def test_health_ignores_the_query(api: Api) -> None:
    assert api.get("/v1/health?full=1").data == {"status": "ok"}
