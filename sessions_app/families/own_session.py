"""The caller's own session, while it is live."""

from datetime import datetime

from accounts.host import users
from accounts.state.lookup import get_own_account
from core.db import sql
from core.db.ids import parse_id
from core.errors import InvalidAccessToken
from core.keys.jwt import Caller

from ..models import Family, Token, live_condition
from .queries import Session, session_of

# The token of the caller can be older than the newest token of its session. Each step is a lookup by a primary key.
_OWN_SESSION_SQL = f"""
    SELECT newest.id, newest.ip, newest.user_agent, f.started_at
    FROM {Token._meta.db_table} own
    JOIN {Family._meta.db_table} f ON f.id = own.family_id
    JOIN {Token._meta.db_table} newest ON newest.id = f.current_token_id
    WHERE own.id = %s AND f.account_id = %s AND {live_condition()}
"""  # noqa: S608 - only constants are interpolated


def get_own_session(*, caller: Caller, now: datetime) -> Session:
    """Return the session of the caller's access token.

    Raises InvalidAccessToken when the session has ended, or the account does not exist. Raises it also when a host
    project deactivated the user or set another password, even before the sessions end. The standalone project runs one
    query, and a host project reads its user too.
    """
    token_id, account_id = parse_id(caller.token_id), users.to_account_id(caller.user_id)
    if token_id is None or account_id is None:
        raise InvalidAccessToken
    row = sql.fetch_one(_OWN_SESSION_SQL, (token_id, account_id, now, now))
    if row is None:
        raise InvalidAccessToken
    if users.belong_to_host():
        get_own_account(user_id=caller.user_id)
    return session_of(*row, is_current=True)
