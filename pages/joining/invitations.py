"""The mailed link of an invitation. The invited person sets a password, or makes a passkey instead."""

from collections.abc import Mapping

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy

from accounts.acts.invitations import check_acceptance
from accounts.errors import PasswordBreached, PasswordPolicyViolation, SignupClosed
from core.errors import BadRequest
from core.http.call import Call
from core.http.limits import by_network
from core.http.view import operation
from core.ratelimit import Limit
from mfa.conf import keys
from sessions_app.logins.invitations import accept_invitation

from ..entrance.entering import EntrancePage
from ..frame import navigation
from ..frame.new_passwords import rules
from .forms import LinkForm, NewPasswordLinkForm
from .mailed import ActOfLink, MailedLinkPage
from .new_passwords import refusal_of


class InvitationLink(MailedLinkPage, EntrancePage):
    """The page of the link of an invitation."""

    title = gettext_lazy("Create your account")
    question = "authsvc_pages/joining/invitation.html"
    act = "authsvc-join-by-password"

    def answer_error(self, error: Exception) -> HttpResponse:
        """Return the page that says that no one can make an account, while not even invited people can."""
        return self.show_failure(error) if isinstance(error, SignupClosed) else super().answer_error(error)

    def describe(self, token: str, call: Call) -> Mapping[str, object]:
        """Return the address of the new account, the rules for passwords, and whether a passkey can replace one."""
        # Without a password, the call checks the invitation alone.
        invited = check_acceptance(token=token, password=None, client=call.client, now=call.now).invitation
        return {
            "email": invited.email,
            "rules": rules(),
            "passkey_action": reverse("authsvc-join-by-passkey") if keys() else "",
        }


class AcceptByPassword(ActOfLink, InvitationLink):
    """The acceptance of an invitation with a password."""

    page = "authsvc-page-invitation"
    template = InvitationLink.question

    @operation(
        input=NewPasswordLinkForm, output=HttpResponse, errors=(SignupClosed,), limits=(by_network(Limit.SIGNUP),)
    )
    def post(self, call: Call) -> HttpResponse:
        """Make the account and sign in."""
        token, password = call.body["token"], call.body["new_password"]
        try:
            pair = accept_invitation(token=token, password=password, client=call.client, now=call.now)
        except (PasswordPolicyViolation, PasswordBreached) as error:
            return self.refuse_input(call, status=error.status, new_password=refusal_of(error))
        return self.finish_login(pair, call, following=navigation.home())


class AcceptByPasskey(ActOfLink, InvitationLink):
    """The acceptance of an invitation without a password. The person makes a passkey on the next page."""

    page = "authsvc-page-invitation"
    template = InvitationLink.question

    @operation(input=LinkForm, output=HttpResponse, errors=(SignupClosed,), limits=(by_network(Limit.SIGNUP),))
    def post(self, call: Call) -> HttpResponse:
        """Make the account, sign in, and lead to the page that makes the passkey."""
        if not keys():
            raise BadRequest("Passkeys are not available on this service. Choose a password.")
        pair = accept_invitation(token=call.body["token"], password=None, client=call.client, now=call.now)
        return self.finish_login(pair, call, following=reverse("authsvc-passkey-offer"))
