"""WebSockets and ASGI applications of a host project behind `AccessTokenMiddleware`."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import orjson
import pytest
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator

from sessions_app.site.asgi import AccessTokenMiddleware
from tests.api.host_site.pages import run_examples
from tests.key_bound import ProvingApi, bound_session
from tests.keys import make_key
from tests.people import Person, SignedIn

pytestmark = pytest.mark.django_db(transaction=True)

MARK = "gatehouse.access-token"
GREETINGS = run_examples("public-api.md", "WebSockets and ASGI applications")["websockets"]


@pytest.fixture
def session(alice: Person) -> SignedIn:
    """Alice's session."""
    return alice.log_in()


def bearer(token: str) -> tuple[bytes, bytes]:
    return b"authorization", f"Bearer {token}".encode()


# The code of the middleware that reads the database then runs in the thread of the test.
@async_to_sync
async def exchange(application: Any, scope: Mapping[str, Any], event: Mapping[str, Any], answers: int) -> list[Any]:
    """Send one event to the application, and return its answers."""
    communicator = ApplicationCommunicator(application, dict(scope))
    await communicator.send_input(dict(event))
    received = [await communicator.receive_output(timeout=60) for _ in range(answers)]
    await communicator.wait(timeout=60)
    assert communicator.output_queue.empty()
    return received


def open_websocket(
    application: Any = GREETINGS, *, headers: Sequence[tuple[bytes, bytes]] = (), subprotocols: Sequence[str] = ()
) -> list[Any]:
    scope = {"type": "websocket", "path": "/", "headers": headers, "subprotocols": list(subprotocols)}
    return exchange(application, scope, {"type": "websocket.connect"}, 2)


def get(application: Any, *headers: tuple[bytes, bytes]) -> tuple[int, Any, Mapping[bytes, bytes]]:
    """Return status, body and headers of the application's answer to an HTTP request."""
    start, body = exchange(application, {"type": "http", "headers": headers}, {"type": "http.request"}, 2)
    return start["status"], orjson.loads(body["body"]), dict(start["headers"])


async def whoami(scope: Mapping[str, Any], _receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
    """Answer the user and the identity in the scope."""
    body = orjson.dumps([str(scope["user"].pk), scope["auth"].user_id])
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


def choosing(chosen: str | None) -> Any:
    """Return an application that accepts with this subprotocol and sends the subprotocols that it saw."""

    async def application(scope: Mapping[str, Any], receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
        await receive()
        await send({"type": "websocket.accept", "subprotocol": chosen})
        await send({"type": "websocket.send", "text": " ".join(scope["subprotocols"])})

    return AccessTokenMiddleware(application)


def test_a_websocket_with_the_header_gets_the_user(session: SignedIn) -> None:
    accepted, greeting = open_websocket(headers=[bearer(session.access)])

    assert accepted == {"type": "websocket.accept"}
    assert greeting["text"] == session.person.user_id


def test_a_browser_sends_the_token_as_a_subprotocol(session: SignedIn) -> None:
    accepted, greeting = open_websocket(subprotocols=[MARK, session.access])

    assert accepted == {"type": "websocket.accept", "subprotocol": MARK}
    assert greeting["text"] == session.person.user_id


@pytest.mark.parametrize("chosen", ["chat", None])
def test_the_application_chooses_among_the_other_subprotocols(session: SignedIn, chosen: str | None) -> None:
    accepted, seen = open_websocket(choosing(chosen), subprotocols=["chat", MARK, session.access, "news"])

    assert accepted["subprotocol"] == (chosen or MARK)
    assert seen["text"] == f"chat {MARK} news"


def test_a_websocket_without_a_valid_token_is_closed_before_its_application_runs(session: SignedIn) -> None:
    key = make_key(session)["key"]
    refused: dict[str, dict[str, Any]] = {
        "nothing": {},
        "other subprotocols": {"subprotocols": ["chat", session.access]},
        "a mark without a token": {"subprotocols": [MARK]},
        "two headers": {"headers": [bearer(session.access)] * 2},
        "garbage": {"subprotocols": [MARK, "garbage"]},
        "an API key": {"headers": [bearer(key)]},
        "a refresh token": {"headers": [bearer(session.refresh)]},
        "a long text": {"headers": [bearer("x" * 100_000)]},
    }

    answers = {kind: open_websocket(**offered) for kind, offered in refused.items()}

    assert {kind: (opened["type"], closed["code"]) for kind, (opened, closed) in answers.items()} == dict.fromkeys(
        refused, ("websocket.accept", 4401)
    )
    assert answers["nothing"][1]["reason"] == "missing_auth_header"
    assert answers["garbage"][0]["subprotocol"] == MARK
    assert answers["garbage"][1]["reason"] == "invalid_access_token"


def test_the_header_decides_over_the_subprotocol(session: SignedIn) -> None:
    _, closed = open_websocket(headers=[bearer("garbage")], subprotocols=[MARK, session.access])

    assert closed["code"] == 4401


def test_a_request_gets_the_user_or_the_answer_of_the_services_own_routes(session: SignedIn) -> None:
    application = AccessTokenMiddleware(whoami)

    assert get(application, bearer(session.access))[:2] == (200, [session.person.user_id] * 2)
    status, body, headers = get(application)
    assert (status, body["error"]["code"], headers[b"www-authenticate"]) == (401, "missing_auth_header", b"Bearer")
    status, body, headers = get(application, bearer("garbage"))
    assert (status, body["error"]["code"]) == (401, "invalid_access_token")
    assert headers[b"www-authenticate"] == b'Bearer error="invalid_token"'


def test_only_a_middleware_that_checks_the_session_refuses_the_token_of_an_ended_session(session: SignedIn) -> None:
    session.api.post("/v1/logout-all", token=session.access)

    assert get(AccessTokenMiddleware(whoami), bearer(session.access))[0] == 200
    assert get(AccessTokenMiddleware(whoami, check_session=True), bearer(session.access))[0] == 401


def test_other_events_of_the_server_reach_the_application() -> None:
    async def application(scope: Mapping[str, Any], receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
        await receive()
        await send({"type": f"{scope['type']}.startup.complete"})

    answers = exchange(AccessTokenMiddleware(application), {"type": "lifespan"}, {"type": "lifespan.startup"}, 1)

    assert answers == [{"type": "lifespan.startup.complete"}]


def test_a_websocket_that_is_gone_gets_no_answer() -> None:
    scope = {"type": "websocket", "headers": [], "subprotocols": []}

    assert exchange(GREETINGS, scope, {"type": "websocket.disconnect", "code": 1006}, 0) == []


def test_an_application_demands_the_key_of_a_bound_token(alice: Person) -> None:
    caller = ProvingApi()
    access = bound_session(alice, api=caller).access
    application = AccessTokenMiddleware(whoami)

    def ask(nonce: str | None = "", **changed: Any) -> tuple[int, Any, Mapping[bytes, bytes]]:
        given = {"nonce": nonce} if nonce else {}
        headers = caller.prover.headers("GET", "/", access=access, **given, **changed)
        pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": "GET", "path": "/", "headers": pairs}
        start, body = exchange(application, scope, {"type": "http.request"}, 2)
        return start["status"], orjson.loads(body["body"]), dict(start["headers"])

    assert ask()[:2] == (200, [alice.user_id, alice.user_id])
    assert ask(htm="POST")[1]["error"]["code"] == "invalid_dpop_proof"
    status, body, headers = ask(nonce="old")
    assert (status, body["error"]["code"]) == (401, "use_dpop_nonce")
    assert headers[b"dpop-nonce"]
    websocket = caller.prover.headers("GET", "/", access=access)
    pairs = [(name.lower().encode(), value.encode()) for name, value in websocket.items()]
    assert open_websocket(headers=pairs)[0]["type"] == "websocket.accept"
    refused = [{"type": "websocket.close", "code": 4401, "reason": "invalid_dpop_proof"}]
    assert open_websocket(headers=pairs)[1:] == refused
    assert open_websocket(headers=[pairs[1], pairs[0], pairs[0]])[1:] == refused
    assert open_websocket(subprotocols=[MARK, access])[1]["code"] == 4401
