from typing import Any, get_origin

import orjson
from django.http import HttpResponse

from core.errors import ServiceError
from core.http.responses import envelope
from tests.rows import each

from .mounted import view_at
from .tables import BARE_ARRAYS, CODES, PAGES, PLAIN_DOCUMENTS, Route, by_code, by_route
from .test_routes import SERVED

# The arguments that the constructors of these errors need.
ARGUMENTS: dict[str, dict[str, Any]] = {
    "password_policy_violation": {"details": ["min_length"]},
    "method_not_allowed": {"allow": "GET"},
    "use_dpop_nonce": {"nonce": "a nonce"},
}


@each("route", by_route(*SERVED))
def test_only_three_routes_return_a_bare_array(route: Route) -> None:
    output = view_at(route.url).operations[route.method].output

    assert (get_origin(output) is list) == (route.name in BARE_ARRAYS)


@each("route", by_route(*SERVED))
def test_every_route_except_pages_and_plain_documents_uses_the_envelope(route: Route) -> None:
    output = view_at(route.url).operations[route.method].output

    assert (output is HttpResponse) == (route.name in PAGES | PLAIN_DOCUMENTS)


@each("expected", by_code())
def test_an_error_contains_its_code_and_a_message_in_the_envelope(expected: tuple[str, int]) -> None:
    code, status = expected
    arguments = ARGUMENTS.get(code, {})

    response = envelope(ServiceError.registry[code](**arguments))

    assert response.status_code == status
    body = orjson.loads(response.content)
    assert body == {"error": {"code": code, "message": body["error"]["message"]} | _details(arguments)}
    assert body["error"]["message"] == ServiceError.registry[code].message


def test_only_a_broken_password_policy_has_details() -> None:
    assert [code for code in CODES if code in ServiceError.registry and ServiceError.registry[code].members] == [
        "password_policy_violation"
    ]


def _details(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if name == "details"}
