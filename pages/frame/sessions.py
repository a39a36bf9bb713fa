"""Sessions of browsers. A session is a family of the sessions app, and the cookie contains a handle to it.

This module throws the tokens of the login away. So no other code can refresh the session or call the API.
"""

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from accounts.host import users
from accounts.host.changes import is_admitted
from core.db.transactions import write
from core.errors import InvalidAccessToken
from core.http.client import Client
from core.keys import jwt
from core.keys.opaque import find_digest, new_token
from events.vocabulary import EventType
from mail.languages import LOCALE_KEY
from sessions_app.conf import settings as session_settings
from sessions_app.families.issuing import REFRESH_PREFIX, TokenPair
from sessions_app.families.lifetimes import extend_session
from sessions_app.families.revocation import end_session
from sessions_app.models import Family

from ..models import NOTICE_MAX, BrowserSession
from . import cookies, sessions_sql

EXTENSION = timedelta(minutes=1)
"""The least time between two writes that extend the same session."""


DRAFT_MAX = 20_000
"""The maximum length of all typed values of a form that waits for a confirmation, in characters. A longer form is lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A form that waits for a confirmation of the login: the path of its page, and the typed values without secrets."""

    page: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveSession:
    """The session of a request. Its family and its account were live and admitted when it was loaded."""

    family_id: UUID
    account_id: Any
    caller: jwt.Caller
    email: str
    csrf_token: str
    started_at: datetime
    authenticated_at: datetime
    idle_expires_at: datetime
    idle: timedelta
    has_factor: bool
    has_password: bool
    is_limited: bool
    notice: str
    draft: Draft
    locale: object
    """The language in the metadata of the account. It can be any JSON value, or None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession:
    """The handle of a new session, and whether the account gets the offer of a passkey after this login."""

    handle: str
    is_passkey_offer_due: bool


def cookie_name() -> str:
    """Return the name of the cookie."""
    return cookies.bound_name("gatehouse")


def set_cookie(response: HttpResponse, *, handle: str) -> None:
    """Add the cookie with the handle. Lax: a link of another site opens a page in the session, and posts nothing in it."""
    lifetime = timedelta(seconds=session_settings().refresh_absolute_seconds)
    cookies.keep(response, name=cookie_name(), value=handle, lifetime=lifetime)


def delete_cookie(response: HttpResponse) -> None:
    """Let the browser forget the handle."""
    cookies.forget(response, name=cookie_name())


def open_session(*, pair: TokenPair, earlier: LiveSession | None = None) -> NewSession:
    """Bind the session of a completed login to a new handle. The tokens are not stored.

    `earlier` is the session that the browser had before. Its draft moves to the new session of the same account. Raises
    InvalidAccessToken when the session has ended meanwhile.
    """
    handle = new_token()
    # The family already has the lifetimes of the settings.
    is_offer_due = sessions_sql.bind(
        digest=handle.digest,
        refresh_digest=find_digest(pair.refresh_token, prefix=REFRESH_PREFIX) or b"",
        idle_seconds=session_settings().refresh_idle_seconds,
    )
    if is_offer_due is None:
        raise InvalidAccessToken
    if earlier is not None and earlier.draft.page:
        _move_draft(earlier, digest=handle.digest)
    return NewSession(handle=handle.raw, is_passkey_offer_due=is_offer_due)


def find_session(*, request: HttpRequest, now: datetime) -> LiveSession | None:
    """Return the live session to which the request's cookie leads. The check is one query.

    Returns None also when a host project deactivated the user or changed the password.
    """
    handle = request.COOKIES.get(cookie_name(), "")
    digest = find_digest(handle)
    if digest is None:
        return None
    rows = BrowserSession.objects.filter(digest=digest, family__in=Family.objects.live(now))
    row = next(iter(rows.select_related("family__account__user")), None)
    if row is None or not is_admitted(row.family.account):
        return None
    family = row.family
    return LiveSession(
        family_id=family.pk,
        account_id=family.account_id,
        caller=jwt.Caller(user_id=str(family.account_id), token_id=str(family.current_token_id), is_operator=False),
        email=users.email_of(family.account.user),
        csrf_token=_csrf_token(handle),
        started_at=family.started_at,
        authenticated_at=family.authenticated_at,
        idle_expires_at=family.idle_expires_at,
        idle=timedelta(seconds=row.idle_seconds),
        has_factor=row.has_factor,
        has_password=users.has_password(family.account.user),
        is_limited=row.is_limited,
        notice=row.notice,
        draft=Draft(**row.draft),
        locale=family.account.metadata.get(LOCALE_KEY),
    )


def extend(*, session: LiveSession, now: datetime) -> None:
    """Let the session last for its idle lifetime from now. Write at most once in EXTENSION."""
    until = now + session.idle
    if until - session.idle_expires_at >= min(EXTENSION, session.idle / 2):
        extend_session(family_id=session.family_id, idle_expires_at=until, now=now)


@write
def remember_factor(*, session: LiveSession) -> None:
    """Store that the person has enrolled a second factor in this session."""
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
def keep_draft(*, session: LiveSession, page: str, values: Mapping[str, str]) -> None:
    """Let the page show the typed values when it opens again. The values contain no secret."""
    draft = Draft(page=page, values=values)
    if sum(map(len, values.values())) <= DRAFT_MAX:
        _row_of(session).update(draft=asdict(draft))


@write
def clear_draft(*, session: LiveSession) -> None:
    """Remove the draft, which a page shows now."""
    _row_of(session).update(draft={})


@write
def _move_draft(earlier: LiveSession, *, digest: bytes) -> None:
    """Give the draft to the session with this digest, if it belongs to the same account."""
    rows = BrowserSession.objects.filter(digest=digest, family__account_id=earlier.account_id)
    rows.update(draft=asdict(earlier.draft))


def _row_of(session: LiveSession) -> Any:
    return BrowserSession.objects.filter(pk=session.family_id)


def _csrf_token(handle: str) -> str:
    """Return the token of the session's forms. It derives from the handle, and does not reveal the handle."""
    return hashlib.sha256(f"authsvc csrf {handle}".encode()).hexdigest()
