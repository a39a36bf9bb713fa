"""The question to the old system whether an address and a password belong together.

It is one signed POST in the form of Standard Webhooks. The answer 200 with a JSON object is a yes, and the object is a
row of the users format. Every other answer is no yes.
"""

import logging
import os
from collections.abc import Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Any

import orjson

from core.clock import rfc3339
from core.db.ids import new_id
from core.errors import Overloaded
from core.outgoing import Answer, OutgoingError, fetch
from core.threads import FALLBACK_THREADS, Slots
from events.webhooks.delivery import headers_of

from ...conf import FallbackSettings
from .breaker import Breaker

logger = logging.getLogger("authsvc.fallback")

MESSAGE_TYPE = "login.password"
BODY_MAX = 64 * 1024
TURN_SECONDS = 1.0
"""The longest time in seconds for which a login waits for its turn to ask."""

_NO = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND})
"""The answers by which a working system says no."""

_slots = Slots()
_breaker = Breaker()


class _NoAnswer(Exception):
    """The old system gave neither yes nor no. The text states the reason, without address and password."""


def ask(*, email: str, password: str, settings: FallbackSettings, now: datetime) -> Mapping[str, Any] | None:
    """Return the old system's row of the user with this address and password. Return None for every answer but a yes.

    The call takes at most the setting's seconds and TURN_SECONDS. It asks nothing while the circuit is open, or while too
    many logins ask.
    """
    try:
        with _slots.taken(at_once=FALLBACK_THREADS, threads=2 * FALLBACK_THREADS, seconds=TURN_SECONDS):
            if not _breaker.permits():
                return None
            row = _read(_send(email=email, password=password, settings=settings, now=now))
    except Overloaded:
        logger.warning("too many logins ask the old system")
        return None
    except _NoAnswer as error:
        logger.warning("the old system gave no answer to a login", extra={"reason": str(error)})
        if _breaker.fail():
            logger.warning("the old system does not answer, so logins do not ask it for a while")
        return None
    _breaker.succeed()
    return row


def is_given_up() -> bool:
    """Return whether the circuit is open, so that no login asks."""
    return _breaker.is_open()


def forget() -> None:
    """Reset the slots and the circuit. A forked child calls it, and tests do."""
    _slots.clear()
    _breaker.reset()


os.register_at_fork(after_in_child=forget)


def _send(*, email: str, password: str, settings: FallbackSettings, now: datetime) -> Answer:
    message = {"type": MESSAGE_TYPE, "timestamp": rfc3339(now), "data": {"email": email, "password": password}}
    body = orjson.dumps(message)
    headers = headers_of(message_id=f"msg_{new_id()}", body=body, secrets=settings.secrets, now=now)
    try:
        return fetch(
            method="POST",
            url=settings.url,
            headers={**headers, "Accept": "application/json"},
            body=body,
            timeout_seconds=settings.seconds,
            max_bytes=BODY_MAX,
            # The address is a setting of the operator, and old systems are often in a private network.
            allow_private=True,
        )
    except OutgoingError as error:
        raise _NoAnswer(str(error)) from None


def _read(answer: Answer) -> Mapping[str, Any] | None:
    """Return the row of a yes, and None for a no. Raises _NoAnswer for every other answer."""
    if answer.status in _NO:
        return None
    if answer.status != HTTPStatus.OK:
        raise _NoAnswer(f"It answered {answer.status}.")
    if answer.headers.get("Content-Type", "").partition(";")[0].strip().lower() != "application/json":
        raise _NoAnswer("It answered 200 with another content type than application/json.")
    try:
        row = orjson.loads(answer.body)
    except orjson.JSONDecodeError:
        raise _NoAnswer("It answered 200 with a body that is not JSON.") from None
    if not isinstance(row, dict):
        raise _NoAnswer("It answered 200 with a body that is not a JSON object.")
    return row
