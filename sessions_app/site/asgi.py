"""ASGI middleware for a host project's WebSockets and ASGI applications, with or without Channels.

    application = ProtocolTypeRouter(
        {"http": get_asgi_application(), "websocket": AccessTokenMiddleware(URLRouter(routes))}
    )

The example is for a site with Channels.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from asgiref.sync import sync_to_async
from django.db import close_old_connections

from core.clock import now
from core.errors import MissingAuthHeader, ServiceError
from core.http.access_tokens import caller_by
from core.http.responses import envelope
from core.keys.jwt import Caller, verify_access_token

from .callers import get_user

Scope: TypeAlias = Mapping[str, Any]
Event: TypeAlias = Mapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Any]]
Send: TypeAlias = Callable[[Any], Awaitable[None]]
Application: TypeAlias = Callable[[Any, Receive, Send], Awaitable[None]]

SUBPROTOCOL = "gatehouse.access-token"
"""The subprotocol by which a browser sends an access token: `new WebSocket(url, ["gatehouse.access-token", token])`.

A browser cannot set the header `Authorization` of a WebSocket.
"""
CLOSE_CODE = 4401
"""The code with which a WebSocket without a valid access token is closed. It stands for the status 401."""


class AccessTokenMiddleware:
    """Runs the application only for requests and WebSockets with a valid access token.

    The token is in the header `Authorization: Bearer …`, or after SUBPROTOCOL in the subprotocols of a WebSocket. A
    key-bound token is in the header `Authorization: DPoP …`, beside a proof of its key in the header `DPoP`. The method of
    a WebSocket's proof is GET, and its address begins with BASE_URL. A browser cannot send a key-bound token. In the
    scope, `user` is the token's user and `auth` is its `Caller`. `check_session` is as in `AccessTokenAuthentication`.

    Another request gets 401 as on the service's routes. Another WebSocket is accepted and closed at once with
    CLOSE_CODE. A browser does not show the status of a refused WebSocket. The application does not run for them.

    The token is checked when the WebSocket opens. The WebSocket can stay open after the token has expired.
    """

    def __init__(self, app: Application, *, check_session: bool = False) -> None:
        self.app = app
        self.check_session = check_session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        try:
            user, caller = await _authenticate(scope, self.check_session)
        except ServiceError as error:
            refuse = _refuse_request if scope["type"] == "http" else _refuse_websocket
            await refuse(error, scope, receive, send)
            return
        inner = {**scope, "user": user, "auth": caller}
        if SUBPROTOCOL in scope.get("subprotocols", ()):
            # The application must not choose the token as the subprotocol: the answer would contain it.
            inner["subprotocols"] = _without_token(scope["subprotocols"])
            send = _with_subprotocol(send)
        await self.app(inner, receive, send)


@sync_to_async
def _authenticate(scope: Scope, check_session: bool) -> tuple[Any, Caller]:
    # Django itself closes old connections around an HTTP request only.
    close_old_connections()
    try:
        caller = _get_caller(scope, now=now())
        return get_user(caller=caller, check_session=check_session, now=now()), caller
    finally:
        close_old_connections()


def _get_caller(scope: Scope, *, now: datetime) -> Caller:
    """Return the caller by the access token of the scope. Raises as `caller_of` does.

    Raises MissingAuthHeader also when the scope has several headers `Authorization`.
    """
    values, proofs = _values(scope, b"authorization"), _values(scope, b"dpop")
    if len(values) > 1:
        raise MissingAuthHeader
    if values:
        # Several proofs are no valid proof.
        method, proof = scope.get("method", "GET"), ",".join(proofs)
        return caller_by(authorization=values[0], proof=proof, method=method, path=scope.get("path", ""), now=now)
    offered = list(scope.get("subprotocols", ()))
    token = next(iter(offered[offered.index(SUBPROTOCOL) + 1 :]), None) if SUBPROTOCOL in offered else None
    if token is None:
        raise MissingAuthHeader
    return verify_access_token(token, now=now)


def _values(scope: Scope, header: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == header]


def _without_token(offered: Sequence[str]) -> list[str]:
    index = offered.index(SUBPROTOCOL)
    return [*offered[: index + 1], *offered[index + 2 :]]


def _with_subprotocol(send: Send) -> Send:
    """Return a `send` that accepts a WebSocket with SUBPROTOCOL unless the application chose another subprotocol.

    A browser closes a WebSocket when the server chooses none of the subprotocols that the browser offered.
    """

    async def forward(event: Event) -> None:
        if event["type"] == "websocket.accept" and not event.get("subprotocol"):
            event = {**event, "subprotocol": SUBPROTOCOL}
        await send(event)

    return forward


async def _refuse_request(error: ServiceError, _scope: Scope, _receive: Receive, send: Send) -> None:
    response = envelope(error)
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in response.items()]
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.content})


async def _refuse_websocket(error: ServiceError, scope: Scope, receive: Receive, send: Send) -> None:
    if (await receive())["type"] != "websocket.connect":
        return
    subprotocol = SUBPROTOCOL if SUBPROTOCOL in scope.get("subprotocols", ()) else None
    await send({"type": "websocket.accept", "subprotocol": subprotocol})
    await send({"type": "websocket.close", "code": CLOSE_CODE, "reason": error.code})
