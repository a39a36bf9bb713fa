"""The page on which the owner of an account stops a planned act. It needs no sign-in, only the token of the mail."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy

from accounts.errors import VerificationTokenInvalid
from accounts.state.mail_tokens import MAILED_TOKEN
from core.http.answers import Status
from core.http.call import Call
from core.http.responses import as_service_error, envelope
from core.http.view import Operation, ServiceView, operation, success
from core.keys.jwt import Caller
from pages.joining.forms import LinkForm
from pages.joining.mailed import ActOfLink, MailedLinkPage

from ..account_acts.planned import get_stoppable, stop_by_link


class StopLink(MailedLinkPage):
    """The page that the link in the mail about a planned act opens.

    An application with a page of its own sends the token as JSON to the same path. It then stops the act at once.
    """

    title = gettext_lazy("Stop the change of your account")
    question = "authsvc_console/stop_act.html"
    act = "authsvc-stop-act"
    ways_on = ()

    @property
    def is_json(self) -> bool:
        """Whether an application sent the request, and not a form."""
        return self.request.content_type == "application/json"

    def authenticate(self, request: HttpRequest, *, now: datetime) -> Caller | None:
        """Return None for an application, which has no session and no origin of this site."""
        return None if self.is_json else super().authenticate(request, now=now)

    def read_body(self, request: HttpRequest, declared: Operation) -> Mapping[str, Any]:
        """Return the JSON body or the form."""
        return ServiceView.read_body(self, request, declared) if self.is_json else super().read_body(request, declared)

    def answer_error(self, error: Exception) -> HttpResponse:
        """Return the envelope of the API to an application."""
        return envelope(as_service_error(error)) if self.is_json else super().answer_error(error)

    def describe(self, token: str, call: Call) -> Mapping[str, object]:
        """Return the time of the act. Raises VerificationTokenInvalid when no act waits for the token."""
        return {"due_at": get_stoppable(token=token).due_at}

    def answer_open(self, call: Call) -> HttpResponse:
        """Stop the act for an application, or show the question."""
        if not self.is_json:
            return super().answer_open(call)
        stop_by_link(token=call.body["token"], client=call.client, now=call.now)
        return success(Status(status="stopped"), self.operation_of(self.request))


class StopAct(ActOfLink, StopLink):
    """The stop of the act."""

    page = "authsvc-page-stop-act"
    template = StopLink.question

    @operation(input=LinkForm, output=HttpResponse, errors=(VerificationTokenInvalid,), limits=MAILED_TOKEN)
    def post(self, call: Call) -> HttpResponse:
        """Stop the act."""
        stop_by_link(token=call.body["token"], client=call.client, now=call.now)
        return self.render({"title": gettext("The change is stopped")}, template="authsvc_console/act_stopped.html")
