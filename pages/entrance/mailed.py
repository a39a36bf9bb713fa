"""The sign-in by a mail with a link and a code. The pages are the same for known and unknown addresses."""

from collections.abc import Mapping

from django.http import HttpResponse

from core.errors import NotFound, ServiceError
from core.http.call import Call
from core.http.limits import PAGE
from core.http.view import operation
from mail.compose import is_mail_on
from mail.limits import LINK_REQUEST_LIMITS
from sessions_app.errors import InvalidLoginCode
from sessions_app.logins.code_logins import CODE_LIMITS, log_in_by_code
from sessions_app.logins.magic_links import request_magic_link

from ..frame import asked_links, navigation
from ..frame.forms import PageQuery
from .entering import EntrancePage
from .forms import AddressForm, CodeForm


class MailedPage(EntrancePage):
    """A page of the sign-in by mail. It exists only while mail is on."""

    template = "authsvc_pages/mailed.html"

    def check_feature(self) -> None:
        """Raise NotFound while mail is off."""
        if not is_mail_on():
            raise NotFound

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the page that follows, and the address to which the mail goes."""
        following = self.following(call)
        return {
            "next": following,
            "address": self.form.values.get("email", ""),
            "again_url": navigation.with_next("authsvc-sign-in", page=following),
        }


class MailMe(MailedPage):
    """The request for the mail."""

    @operation(query=PageQuery, output=HttpResponse, limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the question for the address."""
        return self.render(self.context(call), template="authsvc_pages/mail_me.html")

    @operation(input=AddressForm, output=HttpResponse, limits=LINK_REQUEST_LIMITS)
    def post(self, call: Call) -> HttpResponse:
        """Mail a link and a code if an account has the address, and ask for the code."""
        request_magic_link(email=call.body["email"], client=call.client, now=call.now)
        response = self.render(self.context(call))
        asked_links.remember(response, email=call.body["email"], following=self.following(call))
        return response

    def ask_again(self, call: Call, error: ServiceError) -> HttpResponse:
        """Return the question for the address with the text for the error."""
        return self.refuse(error, self.context(call), template="authsvc_pages/mail_me.html")


class SignInByCode(MailedPage):
    """The code of the mail."""

    @operation(input=CodeForm, output=HttpResponse, errors=(InvalidLoginCode,), limits=CODE_LIMITS)
    def post(self, call: Call) -> HttpResponse:
        """Sign in with the code."""
        answer = log_in_by_code(email=call.body["email"], code=call.body["code"], client=call.client, now=call.now)
        return self.finish_login(answer, call, following=self.following(call))
