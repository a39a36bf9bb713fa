"""A forgotten password: the request of a link, the link, and the URL at which password managers look."""

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext, gettext_lazy

from accounts.acts.password_reset import request_password_reset, reset_password
from accounts.errors import PasswordBreached, PasswordPolicyViolation
from accounts.state.mail_tokens import Purpose
from core.errors import NotConfigured, NotFound, RateLimited
from core.http.call import Call
from core.http.limits import PAGE, CountedByAct
from core.http.mounting import find_path
from core.http.view import Auth, operation
from core.ratelimit import Limit
from mail.compose import is_mail_on
from mail.conf import settings
from mail.limits import LINK_REQUEST_LIMITS

from ..frame import navigation
from ..frame.forms import PageQuery
from ..frame.new_passwords import rules
from ..frame.page import Page
from .forms import AddressForm, NewPasswordLinkForm
from .mailed import ActOfLink, MailedLinkPage
from .new_passwords import refusal_of


class ForgotPassword(Page):
    """The page that mails a link to a person who forgot the password. It shows the same for every address."""

    auth = Auth.PUBLIC
    template = "authsvc_pages/joining/forgot_password.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return whether the service sends mails, and the page that follows."""
        following = call.query.get("next") or self.form.values.get("next", "")
        return {"is_mail_on": is_mail_on(), "next": navigation.own_page(following)}

    @operation(query=PageQuery, output=HttpResponse, limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the form."""
        return self.render(self.context(call))

    @operation(input=AddressForm, output=HttpResponse, errors=(NotConfigured,), limits=LINK_REQUEST_LIMITS)
    def post(self, call: Call) -> HttpResponse:
        """Mail a link to the account with this address, if there is one."""
        if not is_mail_on():
            raise NotConfigured
        request_password_reset(email=call.body["email"], client=call.client, now=call.now)
        context = {**self.context(call), "email": call.body["email"].strip()}
        return self.render(context, template="authsvc_pages/joining/reset_mailed.html")


class _ResetOfMail(MailedLinkPage):
    """A page of a reset. It exists only while mail is on."""

    def check_feature(self) -> None:
        """Raise NotConfigured while mail is off."""
        if not is_mail_on():
            raise NotConfigured


class ResetLink(_ResetOfMail):
    """The page of the link that sets a new password."""

    title = gettext_lazy("Set a new password")
    purpose = Purpose.PASSWORD_RESET
    question = "authsvc_pages/joining/new_password.html"
    act = "authsvc-reset-password"
    ways_on = ((gettext_lazy("Ask for a new link"), "authsvc-forgot"), (gettext_lazy("Sign in"), "authsvc-sign-in"))

    def describe(self, token: str, call: Call) -> Mapping[str, object]:
        """Return the address of the account, and the rules for passwords."""
        return {**super().describe(token, call), "rules": rules()}


class ResetPassword(ActOfLink, ResetLink):
    """The new password."""

    page = "authsvc-page-password-reset"
    template = ResetLink.question

    @operation(input=NewPasswordLinkForm, output=HttpResponse, limits=(CountedByAct(Limit.PASSWORD),))
    def post(self, call: Call) -> HttpResponse:
        """Set the password, which ends every session. A refused password keeps the link."""
        token, password = call.body["token"], call.body["new_password"]
        try:
            reset_password(token=token, new_password=password, client=call.client, now=call.now)
        except (PasswordPolicyViolation, PasswordBreached) as error:
            return self.refuse_input(call, status=error.status, new_password=refusal_of(error))
        return self.render(
            {"title": gettext("Your password is set")}, template="authsvc_pages/joining/password_set.html"
        )


class ChangePasswordUrl(Page):
    """The URL at which password managers look for the page that changes a password.

    Source: W3C, A Well-Known URL for Changing Passwords.
    """

    auth = Auth.PUBLIC

    @operation(output=HttpResponse, status=302, errors=(NotFound, RateLimited), limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Redirect to the page of the account, or without a session to the page that mails a link.

        Raises NotFound for a browser without a session while mail is off.
        """
        page = find_path("authsvc-account-password") if self.session is not None else None
        if page is None and is_mail_on():
            page = settings().password_reset_url or find_path("authsvc-forgot")
        if page is None:
            raise NotFound
        return HttpResponseRedirect(page)

    def counts_as_use(self, request: HttpRequest) -> bool:
        """Return False: a password manager asks for this URL, and not the person."""
        return False
