"""Django's session of a host site, which begins and ends with the session of the browser."""

from datetime import datetime

from django.conf import settings
from django.contrib import auth
from django.http import HttpRequest

from core.keys.jwt import Caller
from sessions_app.site.django_sessions import open_session_of_caller

from ..frame.sessions import LiveSession


class DjangoLogin:
    """Django's session. The middleware `LinkedSessionMiddleware` ends it when the session of the browser ends."""

    def open(self, *, request: HttpRequest, caller: Caller, now: datetime) -> None:
        """Sign the owner in by Django's own `login`, with the first authentication backend of the site."""
        open_session_of_caller(request=request, caller=caller, backend=settings.AUTHENTICATION_BACKENDS[0], now=now)

    def is_open(self, *, request: HttpRequest, session: LiveSession) -> bool:
        """Return whether the user of Django's session owns the session of the browser."""
        user = request.user
        return bool(user.is_authenticated) and user.pk == session.account_id

    def close(self, *, request: HttpRequest) -> None:
        """Sign out by Django's own `logout`. It also ends the session that Django's is linked to."""
        auth.logout(request)
