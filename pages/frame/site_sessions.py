"""The interface to the sessions of a host site, which begin and end with the session of the browser."""

from datetime import datetime
from typing import Protocol

from django.http import HttpRequest

from core.keys.jwt import Caller
from core.registry import Registry

from .sessions import LiveSession


class SiteSession(Protocol):
    """A kind of session of the host site, such as Django's."""

    def open(self, *, request: HttpRequest, caller: Caller, now: datetime) -> None:
        """Sign the owner of the caller's session in to the site.

        Raises InvalidAccessToken when the session has ended.
        """

    def is_open(self, *, request: HttpRequest, session: LiveSession) -> bool:
        """Return whether the person of the session is signed in to the site."""

    def close(self, *, request: HttpRequest) -> None:
        """Sign the browser out of the site."""


site_sessions: Registry[SiteSession] = Registry()
"""Empty, unless PAGES_DJANGO_LOGIN is on."""
