"""Step-up: some operations need a recent login or reauthentication of the caller's session.

Without it, a person who finds an open session could take the account over.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, TypeVar

from core.errors import InvalidAccessToken
from core.http.call import Call
from core.keys.jwt import Caller

from ..conf import settings
from ..errors import ReauthenticationRequired
from ..host import users
from ..lifecycle import session_stores

T = TypeVar("T")

FRESH_PERIOD = timedelta(minutes=5)
"""The time after a login or reauthentication in which the session counts as fresh. RECENT_LOGIN_SECONDS does not change it.

In an account without a password, a fresh session takes the place of the password. A passkey that is registered in a
fresh session can sign in alone. A factor that is added in a fresh session can reauthenticate this session later.
"""


def needs_recent_login(handler: Callable[[Any, Call], T]) -> Callable[[Any, Call], T]:
    """Let the operation run only after `check_recent_login`. Apply this decorator to the result of `@operation`.

    Every operation that adds, changes or removes a way into the account, and demands no password, has this decorator. The
    check comes after the checks of the access token, the feature and the body.
    """

    @wraps(handler)
    def run(view: Any, call: "Call") -> T:
        check_recent_login(caller=call.signed_in, now=call.now)
        return handler(view, call)

    declared = run.operation  # type: ignore[attr-defined]  # `@operation` sets it, and `wraps` copies it
    run.operation = replace(declared, errors=(*declared.errors, ReauthenticationRequired))  # type: ignore[attr-defined]
    return run


def check_recent_login(*, caller: Caller, now: datetime) -> None:
    """Check that the session was authenticated within RECENT_LOGIN_SECONDS.

    While the setting is off, the function does nothing and runs no query.

    Raises ReauthenticationRequired when the latest login or reauthentication is older. Raises InvalidAccessToken when
    the session has ended.
    """
    seconds = settings().recent_login_seconds
    if seconds is not None:
        check_authenticated(within=timedelta(seconds=seconds), caller=caller, now=now)


def is_recent(authenticated_at: datetime, *, now: datetime) -> bool:
    """Return whether the moment is within RECENT_LOGIN_SECONDS. While the setting is off, every moment is."""
    seconds = settings().recent_login_seconds
    return seconds is None or authenticated_at >= now - timedelta(seconds=seconds)


def check_authenticated(*, within: timedelta, caller: Caller, now: datetime) -> None:
    """Check that the latest login or reauthentication of the session is not older than `within`.

    Raises ReauthenticationRequired when it is older. Raises InvalidAccessToken when the session has ended.
    """
    latest = find_authentication(caller=caller, now=now)
    if latest is None:
        raise InvalidAccessToken
    if latest < now - within:
        raise ReauthenticationRequired


def find_authentication(*, caller: Caller, now: datetime) -> datetime | None:
    """Return the time of the session's login or of its latest reauthentication. None when the session has ended."""
    account_id = users.to_account_id(caller.user_id)
    moments = (
        store.authenticated_at(token_id=caller.token_id, account_id=account_id, now=now) for store in session_stores
    )
    return next((moment for moment in moments if moment is not None), None)
