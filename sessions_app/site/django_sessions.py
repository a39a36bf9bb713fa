"""Links between the Django sessions of a host project and the sessions of the service. The end of one ends the other.

`open_token_session` gives the user of a Django session a token pair. `open_django_session` gives the owner of an access
token a Django session. Both store the id of the service's session in the Django session. `LinkedSessionMiddleware` ends
a Django session whose linked session has ended. Django's signal `user_logged_out` ends the linked session.
"""

from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from asgiref.sync import sync_to_async
from django.conf import settings as django_settings
from django.contrib import auth
from django.contrib.sessions.backends.base import SessionBase, UpdateError
from django.contrib.sessions.backends.signed_cookies import SessionStore as CookieSessions
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.db import connection, transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin
from django.utils.functional import SimpleLazyObject
from rest_framework import exceptions
from rest_framework.authentication import SessionAuthentication

from accounts.acts.verification_mails import mail_after_refusal
from accounts.errors import EmailNotVerified
from accounts.host import users
from accounts.models import Account
from accounts.proofs.credentials import Proof
from accounts.proofs.recent_login import check_recent_login
from accounts.state.epochs import CredentialsEpoch
from accounts.state.lookup import find_present_account, get_own_account, provision_account
from core import ratelimit
from core.clock import now as read_clock
from core.db.ids import made_at, new_id
from core.db.transactions import transaction_required, write
from core.errors import InvalidAccessToken
from core.http.access_tokens import caller_of
from core.http.client import Client, client_of
from core.http.possession import find_key
from core.keys import jwt

from ..conf import settings
from ..families.issuing import TokenPair
from ..families.queries import FamilySessions
from ..families.revocation import end_family
from ..logins.login import LoginAnswer, LoginMethod, begin
from ..models import Family

_SESSION_KEY = "_gatehouse_session"
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS", "TRACE")


@dataclass(frozen=True, slots=True, kw_only=True)
class _LinkedSession:
    """The service's session that a Django session is linked to.

    `is_open` is False when the login paused for a second factor. The family does not exist before its completion.
    """

    family_id: str
    is_open: bool


def open_token_session(*, request: Any) -> LoginAnswer:
    """Log the user of the Django session in at the service. Return a token pair, or a login that waits for a factor.

    `request` is a Django or DRF request with another method than GET. The Django session counts as the first factor, so
    an account with a second factor gets a PausedLogin. The session that an earlier call opened for the Django session
    ends. The new session counts as authenticated long ago, because the Django session can be old.

    Raises Django's PermissionDenied for a safe method and for a failed CSRF check. Raises it also for a Django session
    without a user, and for a user whom the service does not admit. Raises EmailNotVerified, and mails a link, when the
    address must be verified first. Raises InvalidDpopProof or UseDpopNonce when the request has a proof of possession
    that is not valid; a valid one binds the tokens to its key.
    Raises RateLimited beyond the limit `login`. Opens its own transactions, so the view must not run in one.
    """
    django_request = _prepare(request)
    _check_unforged(django_request)
    user = _find_user(django_request)
    now = read_clock()
    client = replace(client_of(django_request), key=find_key(django_request, now=now))
    ratelimit.hit(ratelimit.Limit.LOGIN, f"django {user.pk}", now=now)
    account = _find_account(user, now=now)
    try:
        begun = None if account is None else _begin(django_request, account, client=client, now=now)
    except EmailNotVerified:
        mail_after_refusal(account_id=user.pk, client=client, now=now)
        raise
    if begun is None:
        raise PermissionDenied("The service does not admit this user.")
    answer, earlier = begun
    if earlier is not None:
        _end(earlier, client=client, now=now)
    return answer


def open_django_session(*, request: Any, backend: str | None = None, needs_recent_login: bool = True) -> None:
    """Sign the owner of the request's access token in to Django, by Django's own `login`.

    `request` is a Django or DRF request with another method than GET. `backend` is as in Django's `login`: a site with
    several authentication backends names one. The Django session gets a new key. A session of the service that was
    linked to it before ends.

    The session of the token needs a login or reauthentication within RECENT_LOGIN_SECONDS. Otherwise a stolen access
    token would become a session of two weeks. `needs_recent_login=False` turns the check off.

    Raises Django's PermissionDenied for a safe method. Raises as `caller_of` does, and InvalidAccessToken when the
    session of the token has ended. Raises ReauthenticationRequired when the login is older.
    """
    django_request = _prepare(request)
    now = read_clock()
    caller = caller_of(django_request, now=now)
    account = get_own_account(user_id=caller.user_id)
    family_id = FamilySessions().find_family(token_id=caller.token_id, account_id=account.pk, now=now)
    if family_id is None:
        raise InvalidAccessToken
    if needs_recent_login:
        check_recent_login(caller=caller, now=now)
    _sign_in(django_request, account, family_id, backend=backend, now=now)


def open_session_of_caller(*, request: Any, caller: jwt.Caller, backend: str | None, now: datetime) -> None:
    """Sign the owner of the caller's session in to Django, and link both sessions, as `open_django_session` does.

    The request ends a login, so it can also be the return from a provider, which is a GET. Raises InvalidAccessToken
    when the session has ended.
    """
    _check_site(request)
    account = get_own_account(user_id=caller.user_id)
    family_id = FamilySessions().find_family(token_id=caller.token_id, account_id=account.pk, now=now)
    if family_id is None:
        raise InvalidAccessToken
    _sign_in(request, account, family_id, backend=backend, now=now)


class LinkedSessionMiddleware(MiddlewareMixin):
    """Ends a Django session when the session of the service that it is linked to has ended.

    The middleware also keeps the link when another request saves the Django session, as every save replaces all of it.

    The middleware comes after Django's AuthenticationMiddleware. It checks at the first use of `request.user` or
    `request.auser()`. The check is one query, and only a linked session needs it.
    """

    def process_request(self, request: Any) -> None:
        """Replace `request.user` and `request.auser` by versions that check the link first."""
        if not hasattr(request, "auser"):
            raise ImproperlyConfigured("LinkedSessionMiddleware must come after Django's AuthenticationMiddleware.")
        user, auser = request.user, request.auser
        request.user = SimpleLazyObject(lambda: _anonymous() if _end_if_over(request) else user)
        request.auser = partial(_auser, request, auser)
        request.ends_linked_sessions = True

    def process_response(self, request: Any, response: HttpResponseBase) -> HttpResponseBase:
        """Keep the link that another request has stored meanwhile, when the Django session is about to be saved."""
        session = request.session
        if session.session_key is not None and (session.modified or django_settings.SESSION_SAVE_EVERY_REQUEST):
            stored = _find_linked(_stored(session))
            if stored is not None and stored != _find_linked(session):
                session[_SESSION_KEY] = asdict(stored)
        return response


async def _auser(request: HttpRequest, auser: Any) -> Any:
    return _anonymous() if await sync_to_async(_end_if_over)(request) else await auser()


def end_session_of(*, request: Any, user: Any, **_: object) -> None:
    """Receive `user_logged_out`: end the session of the service that is linked to the request's Django session.

    In a transaction of the host project, the session ends after the commit.
    """
    if getattr(request, "session", None) is None or request.session.session_key is None:
        return
    take = _take_linked if connection.in_atomic_block else write(_take_linked)
    linked = take(request.session, account_id=user.pk if user else None)
    if linked is not None:
        _end(linked, client=client_of(request), now=read_clock())


def _sign_in(request: Any, account: Account, family_id: UUID, *, backend: str | None, now: datetime) -> None:
    """Sign the account's user in to Django with a new key of the session, and link the sessions."""
    earlier = _find_linked(request.session)
    keeps_key = auth.SESSION_KEY in request.session
    auth.login(request, account.user, backend=backend)
    if keeps_key:
        # Django's login keeps the key when the same user is signed in already.
        request.session.cycle_key()
    linked = _LinkedSession(family_id=str(family_id), is_open=True)
    request.session[_SESSION_KEY] = asdict(linked)
    if earlier is not None and earlier.family_id != linked.family_id:
        _end(earlier, client=client_of(request), now=now)


def _check_site(request: Any) -> None:
    """Raise ImproperlyConfigured when the site cannot link its Django sessions."""
    if not getattr(request, "ends_linked_sessions", False):
        # Without the middleware, the Django session would outlive the session of the service.
        raise ImproperlyConfigured("Add sessions_app.site.django_sessions.LinkedSessionMiddleware to MIDDLEWARE.")
    if isinstance(request.session, CookieSessions):
        raise ImproperlyConfigured("Sessions in cookies cannot be linked, because only the browser stores them.")


def _prepare(request: Any) -> Any:
    """Return Django's request. Raises PermissionDenied for a safe method."""
    django_request = getattr(request, "_request", request)
    _check_site(django_request)
    if django_request.method in _SAFE_METHODS:
        raise PermissionDenied("A link must not open a session. Send a POST.")
    return django_request


def _check_unforged(request: HttpRequest) -> None:
    # The view may be exempt from the check, as each view of DRF is. After a check by the middleware, this one passes.
    try:
        SessionAuthentication().enforce_csrf(request)  # type: ignore[arg-type]  # it needs no more than Django's request
    except exceptions.PermissionDenied as error:
        raise PermissionDenied(str(error)) from None


def _find_user(request: Any) -> Any:
    """Return the user of the Django session. `request.user` can be a user whom a token authenticated."""
    user = _anonymous() if _end_if_over(request) else auth.get_user(request)
    if not user.is_authenticated:
        raise PermissionDenied("Sign in first.")
    return user


def _find_account(user: Any, *, now: datetime) -> Account | None:
    """Return the present account of the user. None when the user is not admitted or has no address of its own."""
    rows = Account.objects.select_related("user").filter(pk=user.pk)
    account = rows.first()
    if account is None:
        provision_account(user=user, now=now)
        account = rows.first()
    return None if account is None else find_present_account(account=account, now=now)


@write
def _begin(
    request: Any, account: Account, *, client: Client, now: datetime
) -> tuple[LoginAnswer, _LinkedSession | None] | None:
    """Begin the login, and store its link in the Django session. Return the answer and the earlier link.

    Returns None when the account has changed. Raises PermissionDenied when the Django session has ended.
    """
    family_id = new_id()
    proof = Proof(epoch=CredentialsEpoch.of(account), email=users.email_of(account.user))
    answer = begin(proof=proof, method=LoginMethod.DJANGO_SESSION, family_id=family_id, client=client, now=now)
    if answer is None:
        return None
    # `begin` has locked the account's row. So concurrent calls and a logout see each other's links: each link is stored
    # at once, and read anew.
    earlier = _find_linked(_stored(request.session))
    request.session[_SESSION_KEY] = asdict(
        _LinkedSession(family_id=str(family_id), is_open=isinstance(answer, TokenPair))
    )
    # Without this line, a second save at the end of the request could replace the link of another call.
    request.session.modified = False
    try:
        request.session.save()
    except UpdateError:
        raise PermissionDenied("Sign in first.") from None
    return answer, earlier


@transaction_required
def _take_linked(session: SessionBase, *, account_id: Any) -> _LinkedSession | None:
    """Delete the stored Django session, and return its link. It takes the same lock as `_begin`."""
    list(Account.objects.select_for_update(no_key=True).filter(pk=account_id).values_list("pk"))
    stored = _stored(session)
    linked = _find_linked(stored)
    stored.delete(session.session_key)
    return linked


def _stored(session: SessionBase) -> SessionBase:
    """Return the Django session as it is stored now."""
    return type(session)(session.session_key)


def _find_linked(session: SessionBase) -> _LinkedSession | None:
    found = session.get(_SESSION_KEY)
    return None if found is None else _LinkedSession(**found)


def _end(linked: _LinkedSession, *, client: Client, now: datetime) -> None:
    # Django's logout can run in the transaction of ATOMIC_REQUESTS. The end of a session has a transaction of its own.
    transaction.on_commit(partial(end_family, family_id=UUID(linked.family_id), client=client, now=now))


def _end_if_over(request: Any) -> bool:
    """Return whether the linked session has ended, and end the Django session in this case."""
    linked = _find_linked(request.session)
    if linked is None or not _is_over(linked):
        return False
    # Another request may have replaced the link after this one read the Django session.
    stored = _find_linked(_stored(request.session))
    if stored is not None and stored != linked and not _is_over(stored):
        return False
    request.session.flush()
    return True


def _is_over(linked: _LinkedSession) -> bool:
    family, now = Family.objects.filter(pk=linked.family_id), read_clock()
    if family.live(now).exists():
        return False
    if linked.is_open or family.exists():
        return True
    # The login was not completed, and the Django session continues. But after one idle lifetime, the family can also have
    # ended and been pruned.
    return made_at(UUID(linked.family_id)) < now - timedelta(seconds=settings().refresh_idle_seconds)


def _anonymous() -> Any:
    from django.contrib.auth.models import AnonymousUser  # noqa: PLC0415 - only a host project installs this app

    return AnonymousUser()
