"""The base class of the pages of the account."""

from collections.abc import Mapping
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from rest_framework import serializers

from accounts.errors import ReauthenticationRequired
from accounts.proofs.recent_login import FRESH_PERIOD, is_recent
from core.errors import InvalidAccessToken, RateLimited, ServiceError
from core.http.call import Call
from core.http.fields import QUERY_MAX, Text
from core.http.view import Operation

from ..entrance.refusals import explain
from ..frame import sessions, zones
from ..frame.forms import Form
from ..frame.page import SAFE_METHODS, Page
from .rooms import navigation


class PositionQuery(serializers.Serializer[None]):
    """The position of a list: the key of the last row of the page before."""

    before = Text(default="", max_length=QUERY_MAX)


class AccountPage(Page):
    """A page of the account. It requires the session of the person."""

    room: ClassVar[str] = "authsvc-account"
    """The name of the room's URL, which the navigation marks."""
    marked: ClassVar[str] = ""
    """The name of another room's URL that the navigation marks in its place, or ""."""

    def find_zone(self, request: HttpRequest) -> ZoneInfo:
        """Return the zone that the person chose, or else that of the device."""
        return zones.find_zone(request, default=zones.device_zone(request))

    def frame(self, nonce: str) -> Mapping[str, object]:
        """Return the values of every page, and the navigation of the account."""
        rooms = navigation(current=self.marked or self.room) if self.session is not None else ()
        return {**super().frame(nonce), "rooms": rooms}

    @property
    def live(self) -> sessions.LiveSession:
        """The session of the request. Raises InvalidAccessToken without one."""
        if self.session is None:
            raise InvalidAccessToken
        return self.session

    def call_handler(self, declared: Operation, call: Call) -> Any:
        """Return the answer of the handler. After too many tries, the form stays, with the time to wait."""
        try:
            return super().call_handler(declared, call)
        except RateLimited as error:
            if not self.template or self.request.method in SAFE_METHODS:
                raise
            response = self.refuse_input(call, status=error.status, form=explain(error).text)
            for name, value in error.headers().items():
                response.headers[name] = value
            return response

    def require_recent(self, call: Call) -> None:
        """Raise ReauthenticationRequired unless the session has the recent login that the API demands of the act.

        A page calls it when it opens the form. So the person confirms before they type.
        """
        if not is_recent(self.live.authenticated_at, now=call.now):
            raise ReauthenticationRequired

    def require_fresh(self, call: Call) -> None:
        """Raise ReauthenticationRequired also when the login is older than FRESH_PERIOD."""
        self.require_recent(call)
        if self.live.authenticated_at < call.now - FRESH_PERIOD:
            raise ReauthenticationRequired

    def refuse(self, call: Call, error: ServiceError, field: str = "form") -> HttpResponse:
        """Return the page with the message of the error beside the field."""
        return self.refuse_input(call, status=error.status, **{field: gettext(str(error))})

    def render_signed_out(self, context: Mapping[str, object], *, template: str) -> HttpResponse:
        """Return a page to a person whose session has just ended, and let the browser forget the session."""
        self.session = None
        response = self.render(context, template=template, form=Form())
        sessions.delete_cookie(response)
        return response
