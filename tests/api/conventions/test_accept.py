import pytest

from tests.client import Api
from tests.people import Person, existing_session
from tests.rows import each

ACCEPT = each(
    "accept",
    [
        "text/html",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "application/xml",
        "image/png",
        "application/json;q=0",
        "*/*;q=0",
        "application/json; version=2",
        "application/json; indent=4",
        "nonsense",
        "",
    ],
)


@ACCEPT
def test_a_success_is_json_for_every_accept_header(alice: Person, accept: str) -> None:
    answer = alice.api.get("/v1/verify", token=existing_session(alice).access, headers={"Accept": accept})

    assert answer.data == {"user_id": alice.user_id}


@ACCEPT
@each(
    "path, codes",
    [
        ("/v1/verify", {"missing_auth_header"}),
        ("/v1/nonsense", {"not_found"}),
        ("/v1/login", {"method_not_allowed"}),
        ("/v1/admin/users", {"missing_auth_header", "not_implemented_on_embedded_db"}),
    ],
)
def test_an_error_is_json_for_every_accept_header(api: Api, path: str, codes: set[str], accept: str) -> None:
    assert api.get(path, headers={"Accept": accept}).code in codes


@pytest.mark.parametrize("query", ["format=api", "format=html", "format=xml", "_method=DELETE", "callback=x"])
def test_a_query_does_not_change_the_format_of_an_answer(alice: Person, query: str) -> None:
    answer = alice.api.get(f"/v1/verify?{query}", token=existing_session(alice).access)

    assert answer.data == {"user_id": alice.user_id}
