import base64
from collections.abc import Callable
from datetime import timedelta

import orjson
import pytest

from core import clock
from core.keys.jwt import issue_access_token
from tests.client import Api
from tests.operators import only_on_embedded, only_on_full, operator
from tests.people import Person, SignedIn, existing_session
from tests.rows import each

from .tables import ADMIN, MACHINE, PUBLIC, USER, Route, by_route

OPERATORS_ROUTES = by_route(ADMIN)

BODY = "A" * 43


@pytest.fixture
def session(alice: Person) -> SignedIn:
    """The tokens of Alice, with which she calls all routes."""
    return existing_session(alice)


def unsigned(session: SignedIn) -> str:
    """Return the session's access token with `alg: none` in the header and an empty signature."""
    header = base64.urlsafe_b64encode(orjson.dumps({"alg": "none", "typ": "at+jwt"})).decode().rstrip("=")
    return f"{header}.{session.access.split('.')[1]}."


def forged(session: SignedIn) -> str:
    """Return the session's access token with one flipped bit in the claims and the original signature."""
    header, claims, signature = session.access.split(".")
    return f"{header}.{claims[:20]}{'A' if claims[20] != 'A' else 'B'}{claims[21:]}.{signature}"


def expired(session: SignedIn) -> str:
    """Return an access token that expired yesterday."""
    then = clock.now() - timedelta(days=1)
    return issue_access_token(user_id=session.person.user_id, token_id="t", claims={"role": "admin"}, now=then)


NO_ACCESS_TOKENS: dict[str, Callable[[SignedIn], str]] = {
    "a refresh token": lambda session: session.refresh,
    "a pending token": lambda _: f"spt_{BODY}",
    "a ceremony token": lambda _: f"sct_{BODY}",
    "an API key": lambda _: f"ak_abcdefgh_{BODY}",
    "garbage": lambda _: "garbage",
    "an unsigned token": unsigned,
    "a forged token": forged,
    "an expired token": expired,
}


def answers_to_no_access_tokens(session: SignedIn, route: Route) -> dict[str, tuple[int, str, str | None]]:
    """Return status, code and challenge for each kind of invalid token."""
    found = {}
    for kind, token_of in NO_ACCESS_TOKENS.items():
        answer = session.api.call(route.method, route.url, {}, token=token_of(session))
        found[kind] = (answer.status, answer.code, answer.headers.get("WWW-Authenticate"))
    return found


def refusals(route: Route) -> dict[str, tuple[int, str, str | None]]:
    """Return the status, code and challenge that the contract demands for each kind of invalid token."""
    expected: dict[str, tuple[int, str, str | None]] = dict.fromkeys(
        NO_ACCESS_TOKENS, (401, "invalid_access_token", 'Bearer error="invalid_token"')
    )
    if "invalid_api_key" in route.codes:
        expected["an API key"] = (401, "invalid_api_key", 'Bearer error="invalid_token"')
    return expected


@each("route", by_route(PUBLIC))
def test_a_public_route_needs_no_token_and_ignores_an_invalid_one(api: Api, db: None, route: Route) -> None:
    without = api.client.generic(route.method, route.url)
    garbage = api.client.generic(route.method, route.url, headers={"Authorization": "Bearer garbage"})

    assert without.status_code == garbage.status_code != 401


@each("route", by_route(USER))
def test_a_users_route_needs_a_token(api: Api, route: Route) -> None:
    answer = api.call(route.method, route.url, {})

    assert (answer.status, answer.code) == (401, "missing_auth_header")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@each("route", by_route(USER))
def test_a_users_route_refuses_every_other_kind_of_token(session: SignedIn, route: Route) -> None:
    assert answers_to_no_access_tokens(session, route) == refusals(route)


@each("route", by_route(USER))
def test_the_token_is_checked_before_the_method_and_the_body(api: Api, route: Route) -> None:
    wrong_method = api.call("PATCH", route.url)
    broken_body = api.send(route.method, route.url, b"{", content_type="text/plain")

    assert (wrong_method.code, broken_body.code) == ("missing_auth_header", "missing_auth_header")


@each("route", by_route(MACHINE))
def test_a_machines_route_accepts_only_api_keys(session: SignedIn, route: Route) -> None:
    tokens = [None, session.access, *(token_of(session) for token_of in NO_ACCESS_TOKENS.values())]

    answers = [session.api.call(route.method, route.url, {}, token=token) for token in tokens]

    assert {(answer.status, answer.code) for answer in answers} == {(401, "invalid_api_key")}
    assert {answer.headers["WWW-Authenticate"] for answer in answers} == {'Bearer error="invalid_token"'}


@only_on_full
@each("route", OPERATORS_ROUTES)
def test_an_operators_route_needs_a_token(api: Api, route: Route) -> None:
    answer = api.call(route.method, route.url, {})

    assert (answer.status, answer.code) == (401, "missing_auth_header")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@only_on_full
@each("route", OPERATORS_ROUTES)
def test_an_operators_route_refuses_every_other_kind_of_token(session: SignedIn, route: Route) -> None:
    assert answers_to_no_access_tokens(session, route) == refusals(route)


@only_on_full
@each("route", OPERATORS_ROUTES)
def test_an_operators_route_refuses_a_user(session: SignedIn, route: Route) -> None:
    answers = [
        session.api.call(route.method, route.url, {}, token=session.access),
        session.api.call("PATCH", route.url, token=session.access),
        session.api.send(route.method, route.url, b"{", token=session.access),
    ]

    assert {(answer.status, answer.code) for answer in answers} == {(403, "not_operator")}


@only_on_full
@pytest.mark.parametrize("path", ["/v1/admin", "/v1/admin/", "/v1/admin/nonsense", "/v1/admin/users/"])
def test_only_an_operator_learns_that_a_console_path_is_unknown(alice: Person, path: str) -> None:
    session = existing_session(alice)
    ended = issue_access_token(user_id=alice.user_id, token_id="t", claims={"role": "admin"}, now=clock.now())
    tokens = (None, "garbage", session.access, ended, operator(alice).access)

    answers = [session.api.get(path, token=token) for token in tokens]

    assert [answer.code for answer in answers] == [
        "missing_auth_header",
        "invalid_access_token",
        "not_operator",
        "invalid_access_token",
        "not_found",
    ]


@only_on_embedded
@each("route", OPERATORS_ROUTES)
def test_an_embedded_deployment_has_no_console_for_any_caller(session: SignedIn, route: Route) -> None:
    user_id = session.person.user_id
    operator = issue_access_token(user_id=user_id, token_id="t", claims={"role": "admin"}, now=clock.now())
    tokens = [None, session.access, operator, *(token_of(session) for token_of in NO_ACCESS_TOKENS.values())]

    answers = [session.api.call(route.method, route.url, {}, token=token) for token in tokens]

    assert {(answer.status, answer.code) for answer in answers} == {(501, "not_implemented_on_embedded_db")}


@only_on_embedded
@each("path", ["/v1/admin", "/v1/admin/", "/v1/admin/nonsense", "/v1/admin/users"])
@each("method", ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "NONSENSE"])
@each("raw", [b"", b"{", b'{"a": ' + b"[" * 40 + b"]" * 40 + b"}", b" " * (64 * 1024 + 1)])
def test_an_embedded_deployment_has_no_console_for_any_request(api: Api, path: str, method: str, raw: bytes) -> None:
    answers = [
        api.send(method, path, raw),
        api.send(method, path, raw, content_type="text/plain"),
        api.send(method, path, headers={"Transfer-Encoding": "chunked"}),
        api.send(method, path, raw, headers={"Host": "elsewhere.example"}),
    ]

    assert {(answer.status, answer.code) for answer in answers} == {(501, "not_implemented_on_embedded_db")}
