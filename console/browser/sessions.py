"""Sessions of operators in a browser. A session is a family of the sessions app, and the cookie is a handle to it.

This module throws the tokens of the login away. So no other code can refresh the session or call the API.
"""

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Subquery
from django.http import HttpRequest, HttpResponse

from accounts.host import users
from accounts.host.changes import is_admitted
from accounts.models import Account
from accounts.state.lookup import get_own_account
from core.conf import core_settings
from core.db.transactions import write
from core.errors import InvalidAccessToken
from core.http.client import Client
from core.keys import jwt
from core.keys.opaque import find_digest, new_token
from events.vocabulary import EventType
from mail.languages import LOCALE_KEY
from sessions_app.families.issuing import TokenPair
from sessions_app.families.lifetimes import extend_session, limit_lifetimes
from sessions_app.families.revocation import end_session
from sessions_app.logins.second_factors import enrolled_factors
from sessions_app.models import Family

from ..conf import browser_settings
from ..models import NOTICE_MAX, ConsoleSession, Operator
from ..operators.acts import record_act
from ..operators.grants import is_operator
from ..roles import Right, held_role, rights_of

EXTENSION = timedelta(minutes=1)
"""The least time between two writes that extend the same session."""


class NotAnOperator(Exception):
    """The account with this address may not use the console."""

    def __init__(self, *, email: str) -> None:
        super().__init__()
        self.email = email


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveSession:
    """The session of a request. Its operator, family and account were live and admitted when it was loaded."""

    family_id: UUID
    caller: jwt.Caller
    email: str
    csrf_token: str
    authenticated_at: datetime
    idle_expires_at: datetime
    has_factor: bool
    rights: frozenset[Right]
    notice: str
    locale: object
    """The language in the metadata of the account. It can be any JSON value, or None."""


def cookie_name() -> str:
    """Return the name of the cookie. With https it has a prefix that keeps other hosts from setting the cookie."""
    return "__Host-gatehouse" if _is_https() else "gatehouse"


def set_cookie(response: HttpResponse, *, handle: str) -> None:
    """Add the cookie with the handle. It has no end of its own, because the server ends the session."""
    response.set_cookie(cookie_name(), handle, path="/", secure=_is_https(), httponly=True, samesite="Strict")


def delete_cookie(response: HttpResponse) -> None:
    """Let the browser forget the handle."""
    response.delete_cookie(cookie_name(), path="/", samesite="Strict")


def open_session(*, pair: TokenPair, client: Client, now: datetime) -> str:
    """Bind the session of a completed login to a new handle, and return the handle. The tokens are not stored.

    When the account is not an operator, end the session and raise NotAnOperator. Raises InvalidAccessToken when the
    session has ended meanwhile.
    """
    caller = jwt.verify_access_token(pair.access_token, now=now)
    account = get_own_account(user_id=caller.user_id)
    if not is_operator(account=account):
        close_session(caller=caller, client=client, now=now)
        raise NotAnOperator(email=users.email_of(account.user))
    handle = new_token()
    _bind(caller, account, handle.digest, client=client, now=now)
    return handle.raw


def find_session(*, request: HttpRequest, now: datetime) -> LiveSession | None:
    """Return the live session of an operator to which the request's cookie leads. The check is one query.

    Returns None also when a host project deactivated the operator or changed the password. Returns None, after another
    query, when a second factor is required and was enrolled outside the session. The session has not proven the factor,
    so an attacker with the password may have opened it.
    """
    handle = request.COOKIES.get(cookie_name(), "")
    digest = find_digest(handle)
    if digest is None:
        return None
    operators = Operator.objects.filter(pk=OuterRef("family__account_id"))
    rows = ConsoleSession.objects.filter(Exists(operators), digest=digest, family__in=Family.objects.live(now))
    rows = rows.annotate(held_role=Subquery(operators.annotate(held=held_role()).values("held")))
    row = next(iter(rows.select_related("family__account__user")), None)
    if row is None or not is_admitted(row.family.account):
        return None
    family = row.family
    if browser_settings().needs_factor and not row.has_factor and enrolled_factors(account_id=family.account_id):
        return None
    return LiveSession(
        family_id=family.pk,
        caller=jwt.Caller(user_id=str(family.account_id), token_id=str(family.current_token_id), is_operator=True),
        email=users.email_of(family.account.user),
        csrf_token=_csrf_token(handle),
        authenticated_at=family.authenticated_at,
        idle_expires_at=family.idle_expires_at,
        has_factor=row.has_factor,
        rights=rights_of(row.held_role),
        notice=row.notice,
        locale=family.account.metadata.get(LOCALE_KEY),
    )


def extend(*, session: LiveSession, now: datetime) -> None:
    """Let the session last for CONSOLE_IDLE_SECONDS from now. Write at most once in EXTENSION."""
    until = now + browser_settings().idle
    if until - session.idle_expires_at >= min(EXTENSION, browser_settings().idle / 2):
        extend_session(family_id=session.family_id, idle_expires_at=until, now=now)


def lacks_factor(*, session: LiveSession) -> bool:
    """Return whether OPERATOR_SECOND_FACTOR demands a second factor that the operator does not have.

    The session remembers a factor, so a removal counts at the next sign-in.
    """
    return browser_settings().needs_factor and not session.has_factor


@write
def remember_factor(*, session: LiveSession) -> None:
    """Store that the operator has enrolled a second factor in this session."""
    _row_of(session).update(has_factor=True)


def close_session(*, caller: jwt.Caller, client: Client, now: datetime) -> None:
    """End the session as a logout. Does nothing when it has ended."""
    with suppress(InvalidAccessToken):
        end_session(caller=caller, session_id=caller.token_id, event=EventType.LOGOUT, client=client, now=now)


@write
def leave_notice(*, session: LiveSession, text: str) -> None:
    """Let the next page of the session show the text, once."""
    _row_of(session).update(notice=text[:NOTICE_MAX])


@write
def clear_notice(*, session: LiveSession) -> None:
    """Remove the notice that a page shows now. A newer notice stays."""
    _row_of(session).filter(notice=session.notice).update(notice="")


@write
def _bind(caller: jwt.Caller, account: Account, digest: bytes, *, client: Client, now: datetime) -> None:
    family_id = limit_lifetimes(
        caller=caller,
        idle_expires_at=now + browser_settings().idle,
        absolute_expires_at=now + browser_settings().absolute,
        now=now,
    )
    if family_id is None:
        raise InvalidAccessToken
    has_factor = bool(enrolled_factors(account_id=account.pk))
    ConsoleSession.objects.create(family_id=family_id, digest=digest, has_factor=has_factor)
    record_act(act=EventType.OPERATOR_SIGNED_IN, operator_id=caller.user_id, client=client, now=now)


def _row_of(session: LiveSession) -> Any:
    return ConsoleSession.objects.filter(pk=session.family_id)


def _csrf_token(handle: str) -> str:
    """Return the token of the session's forms. It derives from the handle, and does not reveal the handle."""
    return hashlib.sha256(f"authsvc csrf {handle}".encode()).hexdigest()


def _is_https() -> bool:
    return core_settings().base_url.startswith("https:")
