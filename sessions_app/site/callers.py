"""The callers of a host project's own views and applications, by the access tokens in their requests."""

from datetime import datetime
from typing import Any

from rest_framework.exceptions import AuthenticationFailed

from accounts.state.lookup import get_own_account, get_signed_in_account
from core.errors import ServiceError
from core.keys import jwt


def get_user(*, caller: jwt.Caller, check_session: bool, now: datetime) -> Any:
    """Return the user of the caller's account.

    Runs one query for the account. With `check_session`, one more query checks that the session is still live. Raises
    InvalidAccessToken when the account was deleted or is no longer admitted. Raises it also when the checked session has
    ended.
    """
    if check_session:
        account = get_signed_in_account(caller=caller, now=now)
    else:
        account = get_own_account(user_id=caller.user_id)
    return account.user


def authentication_failed(error: ServiceError) -> AuthenticationFailed:
    """Return the error of DRF for the service's error, with its text and code."""
    return AuthenticationFailed(str(error), code=error.code)
