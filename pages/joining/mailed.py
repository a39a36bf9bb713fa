"""The base classes of the pages behind mailed links.

The token is in the URL's fragment, which browsers do not send. So no log and no Referer contains it. A script sends the
token in a form, and the page shows what the link does. Without a script, the person pastes the link into this form.
Mail programs and virus scanners also open links, so only a second form, which the person sends by a click, acts.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.http import HttpResponse
from django.urls import reverse
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from accounts.errors import (
    ReauthenticationRequired,
    SignupClosed,
    VerificationTokenExpired,
    VerificationTokenInvalid,
)
from accounts.host import users
from accounts.models import MailToken
from accounts.state.mail_tokens import MAILED_TOKEN, Purpose, account_of, get_mail_token
from core.errors import InvalidAccessToken, NotConfigured, ServiceError
from core.http.call import Call
from core.http.limits import PAGE
from core.http.mounting import find_path
from core.http.view import Auth, Operation, operation

from ..entrance.entering import FAILURE_STATUS_MIN
from ..entrance.refusals import explain
from ..frame.languages import keep_language
from ..frame.page import Page
from .forms import OpenLinkForm, token_of


class MailedLinkPage(Page):
    """The page that a mailed link opens. To open it spends nothing."""

    auth = Auth.PUBLIC
    template = "authsvc_pages/joining/open_link.html"
    title: ClassVar[str | Promise]
    """The purpose of the link, such as "Reset your password"."""
    purpose: ClassVar[Purpose]
    question: ClassVar[str]
    """The template of the page that shows what the link does."""
    act: ClassVar[str]
    """The name of the route to which the form of the question posts."""
    ways_on: ClassVar[Sequence[tuple[str | Promise, str]]] = ((gettext_lazy("Sign in"), "authsvc-sign-in"),)
    """The ways on for a person whose link does not work: their texts, and the names of their routes."""

    call: Call | None = None
    """The request, once its form has been read."""

    def call_handler(self, declared: Operation, call: Call) -> Any:
        """Return the answer of the handler."""
        self.call = call
        return super().call_handler(declared, call)

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the values of the page that waits for the link."""
        return {"title": self.title, "action": self.request.path, "ways_on": self.found_ways_on()}

    def answer_error(self, error: Exception) -> HttpResponse:
        """Return the page that says that the link does not work, and where the person gets another one."""
        if isinstance(error, (VerificationTokenInvalid, VerificationTokenExpired)):
            return self.show_failure(error)
        return super().answer_error(error)

    def show_failure(self, error: ServiceError) -> HttpResponse:
        """Return the page with the message of the error, and the ways on that this site has."""
        context = {
            "title": self.title,
            "message": gettext(str(error)),
            "ways_on": self.found_ways_on(),
            **self.mailed_link(),
        }
        return self.render(context, template="authsvc_pages/joining/link_failed.html", status=error.status)

    def found_ways_on(self) -> Sequence[Mapping[str, object]]:
        """Return the text and the path of each way on that this site has."""
        found = [(text, find_path(name)) for text, name in self.ways_on]
        return [{"text": text, "url": url} for text, url in found if url is not None]

    def mailed_link_url(self) -> str:
        """Return the path of the page of the link."""
        return self.request.path

    def mailed_link(self) -> Mapping[str, str]:
        """Return the link in the form. The chooser of the language sends it along, so the question comes again."""
        return {"token": token_of(self.form.values.get("token", "")), "mailed_link_url": self.mailed_link_url()}

    def find(self, token: str, call: Call) -> MailToken:
        """Return the live token. Raises VerificationTokenInvalid and VerificationTokenExpired."""
        return get_mail_token(raw=token, purpose=self.purpose, now=call.now)

    def describe(self, token: str, call: Call) -> Mapping[str, object]:
        """Return what the question says about the link. Raises as `find` does."""
        found = self.find(token, call)
        return {"email": users.email_of(account_of(found).user), "address": found.address}

    def messages_of(self, error: ServiceError) -> Mapping[str, str]:
        """Return the text for a refusal that the person can mend, by the name of its field, or `form`."""
        return {"form": explain(error).text}

    def ask(self, token: str, call: Call) -> Mapping[str, object]:
        """Return all values of the question. Raises as `find` does."""
        return {
            "title": self.title,
            **self.mailed_link(),
            "action": reverse(self.act),
            "own_email": self.session.email if self.session else "",
            **self.describe(token, call),
        }

    def answer_open(self, call: Call) -> HttpResponse:
        """Return the question about the link in the form."""
        return self.render(self.ask(call.body["token"], call), template=self.question)

    @operation(output=HttpResponse, limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the page, whose script sends the token. The server sees no part of the link yet."""
        return self.render(self.context(call))

    @operation(input=OpenLinkForm, output=HttpResponse, limits=MAILED_TOKEN)
    def post(self, call: Call) -> HttpResponse:
        """Show what the link does. Spends nothing. With a language, show it in this language, which the browser keeps."""
        language = call.body.get("language")
        if language is None:
            return self.answer_open(call)
        self.language = language
        translation.activate(language)
        response = self.render(self.ask(call.body["token"], call), template=self.question)
        keep_language(response, language)
        return response


class ActOfLink(MailedLinkPage):
    """The route that acts by a link. It comes before the page of the link among the base classes.

    A refusal that the person can mend shows the question again, with the message. So `template` is that of the question.
    """

    page: ClassVar[str]
    """The name of the route of the link's page."""

    def mailed_link_url(self) -> str:
        """Return the path of the page of the link."""
        return reverse(self.page)

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the values of the question."""
        return self.ask(token_of(self.form.values.get("token", "")), call)

    def answer_error(self, error: Exception) -> HttpResponse:
        """Return the question with the message of an error that the person can mend, or else the error page."""
        if self.call is None or not isinstance(error, ServiceError) or not _can_be_mended(error):
            return super().answer_error(error)
        try:
            response = self.refuse_input(self.call, status=error.status, **self.messages_of(error))
        except (VerificationTokenInvalid, VerificationTokenExpired) as ended:
            return self.show_failure(ended)
        for name, value in error.headers().items():
            response.headers[name] = value
        return response

    @operation(output=HttpResponse, limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Lead to the page of the link. A browser that loads the answer of a form anew asks for this address."""
        return self.redirect(reverse(self.page))


def _can_be_mended(error: ServiceError) -> bool:
    """Return whether the person can send the same form again, with another value or later."""
    others = (
        *(VerificationTokenInvalid, VerificationTokenExpired, InvalidAccessToken, ReauthenticationRequired),
        *(NotConfigured, SignupClosed),
    )
    return error.status < FAILURE_STATUS_MIN and not isinstance(error, others)
