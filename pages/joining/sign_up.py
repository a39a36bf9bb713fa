"""The sign-up, and the proof of the address."""

from collections.abc import Mapping

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext

from accounts.acts.email_verification import VerificationSent, request_verification
from accounts.acts.signup import sign_up
from accounts.conf import sign_up_settings
from accounts.errors import EmailNotVerified, PasswordBreached, PasswordPolicyViolation, SignupClosed, UserExists
from accounts.proofs.limits import by_own_mailbox
from accounts.state.proven_addresses import is_address_proven
from core.errors import BadRequest, NotConfigured, ServiceError
from core.http.call import Call
from core.http.limits import PAGE, by_caller, by_network
from core.http.view import operation
from core.ratelimit import Limit
from mail.compose import is_mail_on
from mail.conf import settings as mail_settings
from mail.limits import MailKind
from sessions_app.logins.login import PASSWORD_LOGIN_LIMITS, log_in

from ..entrance import unconfirmed
from ..entrance.entering import FAILURE_STATUS_MIN, EntrancePage
from ..frame import navigation
from ..frame.forms import NextForm, PageQuery
from ..frame.new_passwords import rules
from ..frame.page import Page
from .forms import PasswordLoginForm, SignUpForm
from .new_passwords import refusal_of


class SignUp(EntrancePage):
    """The page on which a person makes an account."""

    template = "authsvc_pages/joining/sign_up.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the rules for passwords, who may sign up, and the page that follows."""
        return {
            "rules": rules(),
            "who": sign_up_settings().sign_up or "open",
            "is_exists": False,
            "next": self.following(call),
        }

    @operation(query=PageQuery, output=HttpResponse, limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the form, or the way to an invitation. A signed-in person continues at once."""
        if self.session is not None:
            return self.lead_to(self.following(call))
        return self.render(self.context(call))

    @operation(
        input=SignUpForm,
        output=HttpResponse,
        errors=(SignupClosed, PasswordPolicyViolation, PasswordBreached, UserExists),
        limits=(by_network(Limit.SIGNUP), *PASSWORD_LOGIN_LIMITS),
    )
    def post(self, call: Call) -> HttpResponse:
        """Make the account. Then sign in, or say that the address must be confirmed first."""
        email, password = call.body["email"].strip(), call.body["password"]
        try:
            sign_up(email=email, password=password, client=call.client, now=call.now)
        except (PasswordPolicyViolation, PasswordBreached) as error:
            return self.refuse_input(call, status=error.status, password=refusal_of(error))
        except UserExists as error:
            context = {**self.context(call), "is_exists": True}
            return self.show_refusal(error, context=context, field="email")
        except BadRequest as error:
            return self.refuse_input(call, status=error.status, email=gettext("This is no e-mail address. Check it."))
        except SignupClosed as error:
            return self.refuse_input(call, status=error.status, email=gettext(str(error)))
        if mail_settings().email_verification == "required":
            waiting = unconfirmed.context_of(name=email, following=self.following(call), is_again=False)
            return self.render(waiting, template=unconfirmed.TEMPLATE)
        return self.sign_in(call, email=email, password=password)

    def show_refusal(self, error: ServiceError, *, context: Mapping[str, object], field: str) -> HttpResponse:
        """Return the form with the message of the error beside the field."""
        form = type(self.form)(values=self.form.values, errors={field: gettext(str(error))})
        return self.render(context, status=error.status, form=form)

    def sign_in(self, call: Call, *, email: str, password: str) -> HttpResponse:
        """Sign in to the new account. When that is refused, the person signs in on the usual page."""
        try:
            answer = log_in(email=email, password=password, client=call.client, now=call.now)
        except ServiceError as error:
            if error.status >= FAILURE_STATUS_MIN:
                raise
            context = {"title": gettext("Your account is ready")}
            return self.render(context, template="authsvc_pages/joining/account_ready.html")
        following = self.following(call)
        if is_mail_on() and mail_settings().email_verification != "off":
            following = navigation.with_next("authsvc-confirm-address", page=following)
        return self.finish_login(answer, call, following=following)


class ConfirmFirst(EntrancePage):
    """The page for a person who must confirm the address before the first sign-in.

    The service mails a new link when a sign-in with the right password is refused. So the form of this page is a sign-in.
    """

    template = unconfirmed.TEMPLATE

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the address."""
        name = self.form.values.get("email", "")
        return unconfirmed.context_of(name=name, following=self.following(call), is_again=False)

    @operation(output=HttpResponse, limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Lead to the sign-in. A browser that loads the answer of a form anew asks for this address."""
        return self.redirect(reverse("authsvc-sign-in"))

    @operation(input=PasswordLoginForm, output=HttpResponse, errors=(EmailNotVerified,), limits=PASSWORD_LOGIN_LIMITS)
    def post(self, call: Call) -> HttpResponse:
        """Sign in, or mail the link again while the address is not confirmed."""
        email, password = call.body["email"], call.body["password"]
        try:
            answer = log_in(email=email, password=password, client=call.client, now=call.now)
        except EmailNotVerified:
            context = unconfirmed.context_of(name=email, following=self.following(call), is_again=True)
            return self.render(context, form=type(self.form)())
        except ServiceError as error:
            if error.status >= FAILURE_STATUS_MIN:
                raise
            return self.refuse_input(call, status=error.status, password=gettext(str(error)))
        return self.finish_login(answer, call, following=self.following(call))


class ConfirmAddress(Page):
    """The page of a signed-in person whose address waits for its confirmation."""

    template = "authsvc_pages/joining/confirm_address.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return whether the address is confirmed, and the page that follows."""
        following = call.query.get("next") or self.form.values.get("next", "")
        return {
            "is_proven": self.session is not None and is_address_proven(account_id=self.session.account_id),
            "next": navigation.place_after_sign_in(following),
        }

    def check_feature(self) -> None:
        """Raise NotConfigured while mail is off."""
        if not is_mail_on():
            raise NotConfigured

    @operation(query=PageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        return self.render(self.context(call))

    @operation(
        input=NextForm,
        output=HttpResponse,
        limits=(by_network(Limit.MAIL_IP), by_caller(Limit.MAIL_ACCOUNT), by_own_mailbox(MailKind.VERIFICATION)),
    )
    def post(self, call: Call) -> HttpResponse:
        """Mail the link again."""
        answer = request_verification(caller=call.signed_in, client=call.client, now=call.now)
        notice = gettext("We have mailed the link again.") if isinstance(answer, VerificationSent) else ""
        page = navigation.with_next("authsvc-confirm-address", page=navigation.place_after_sign_in(call.body["next"]))
        return self.redirect(page, notice=notice)
