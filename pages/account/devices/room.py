"""The room of the devices on which the person is signed in."""

from collections.abc import Mapping

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from core.errors import NotFound
from core.http.call import Call
from core.http.view import operation
from events.vocabulary import EventType
from sessions_app.errors import SessionNotOwned
from sessions_app.families.other_sessions import end_other_sessions
from sessions_app.families.revocation import end_all_sessions, end_session

from ..page import AccountPage
from .device_list import list_devices


class Devices(AccountPage):
    """The list of the account's sessions."""

    room = "authsvc-account-devices"
    template = "authsvc_pages/account/devices.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the sessions, the one of the request first."""
        return {"devices": list_devices(call, account_id=self.live.account_id)}

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        return self.render(self.context(call))


class EndDevice(AccountPage):
    """The end of one session."""

    @operation(output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """End the session. Raises NotFound for the session of another account too."""
        try:
            end_session(
                caller=call.signed_in,
                session_id=call.path["session_id"],
                event=EventType.SESSION_REVOKED,
                client=call.client,
                now=call.now,
            )
        except SessionNotOwned:
            raise NotFound from None
        return self.redirect(reverse("authsvc-account-devices"), notice=gettext("The device is signed out."))


class EndOtherDevices(AccountPage):
    """The end of all other sessions."""

    @operation(output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """End all sessions but this one."""
        ended = end_other_sessions(caller=call.signed_in, client=call.client, now=call.now)
        notice = ngettext("%(number)s other device is signed out.", "%(number)s other devices are signed out.", ended)
        return self.redirect(reverse("authsvc-account-devices"), notice=notice % {"number": ended})


class SignOutEverywhere(AccountPage):
    """The end of all sessions."""

    @operation(output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """End all sessions, and say what comes next."""
        end_all_sessions(caller=call.signed_in, client=call.client, now=call.now)
        return self.render_signed_out({}, template="authsvc_pages/account/signed_out.html")
