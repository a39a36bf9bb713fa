"""The callers of a host project's own views and applications, by the access tokens in their requests."""

from datetime import datetime
from typing import Any

from rest_framework.exceptions import AuthenticationFailed

from accounts.state.lookup import get_own_account, get_signed_in_account
from core.errors import InvalidAccessToken
from core.keys import jwt


def authenticate(*, token: str, check_session: bool, now: datetime) -> tuple[Any, jwt.Caller]:
    """Return the user of the access token, and the caller whom the token names.

    Runs one query for the account. With `check_session`, one more query checks that the session is still live. Raises
    InvalidAccessToken when the token is not valid, or the account was deleted or is no longer admitted. Raises it also
    when the checked session has ended.
    """
    caller = jwt.verify_access_token(token, now=now)
    if check_session:
        account = get_signed_in_account(caller=caller, now=now)
    else:
        account = get_own_account(user_id=caller.user_id)
    return account.user, caller


def authentication_failed(error: InvalidAccessToken) -> AuthenticationFailed:
    """Return the error of DRF for the service's error, with its text and code."""
    return AuthenticationFailed(str(error), code=error.code)
