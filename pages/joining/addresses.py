"""The mailed links about an address: its verification, its change, and the undoing of a change."""

from collections.abc import Mapping

from django.http import HttpResponse
from django.utils.translation import gettext, gettext_lazy

from accounts.acts.email_change import confirm_email_change
from accounts.acts.email_undo import undo_email_change
from accounts.acts.email_verification import confirm_verification
from accounts.errors import InvalidCredentials, UserExists
from accounts.host import users
from accounts.models import MailToken
from accounts.state.mail_tokens import Purpose, account_of
from accounts.state.undo_links import get_undo_link
from core.errors import ServiceError
from core.http.call import Call
from core.http.limits import CountedByAct, by_network
from core.http.mounting import find_path
from core.http.view import operation
from core.keys.jwt import Caller
from core.ratelimit import Limit
from mail.conf import settings

from .forms import LinkForm, ProofLinkForm
from .mailed import ActOfLink, MailedLinkPage


class _ProvenByAccount(MailedLinkPage):
    """A link that proves the mailbox. The password, or a session of the same account, also proves the account."""

    def describe(self, token: str, call: Call) -> Mapping[str, object]:
        """Return the address, and whether this browser is signed in to the account of the link."""
        found = self.find(token, call)
        return {
            "email": users.email_of(account_of(found).user),
            "address": found.address,
            "is_own": self.is_own(found),
        }

    def is_own(self, found: MailToken) -> bool:
        """Return whether this browser is signed in to the account of the link."""
        return self.session is not None and self.session.account_id == found.account_id

    def proof(self, call: Call) -> tuple[str | None, Caller | None]:
        """Return the typed password, or else the session when it belongs to the account of the link."""
        if call.body["password"]:
            return call.body["password"], None
        return None, call.caller if self.is_own(self.find(call.body["token"], call)) else None

    def messages_of(self, error: ServiceError) -> Mapping[str, str]:
        """Return the text about a wrong password, which names no address, because the form asks for none."""
        if isinstance(error, InvalidCredentials):
            return {"password": gettext("The password is not correct.")}
        return super().messages_of(error)


class VerifyLink(_ProvenByAccount):
    """The page of the link that verifies an address."""

    title = gettext_lazy("Confirm your address")
    purpose = Purpose.EMAIL_VERIFY
    question = "authsvc_pages/joining/verify_address.html"
    act = "authsvc-verify-address"


class VerifyAddress(ActOfLink, VerifyLink):
    """The verification of an address."""

    page = "authsvc-page-verify-email"
    template = VerifyLink.question

    @operation(input=ProofLinkForm, output=HttpResponse, limits=(CountedByAct(Limit.PASSWORD),))
    def post(self, call: Call) -> HttpResponse:
        """Verify the address."""
        password, caller = self.proof(call)
        if password is None and caller is None:
            return self.refuse_input(call, password=gettext("Type the password of your account."))
        confirm_verification(
            token=call.body["token"], password=password, caller=caller, client=call.client, now=call.now
        )
        return self.render(
            {"title": gettext("Your address is confirmed")}, template="authsvc_pages/joining/address_verified.html"
        )


class ChangeLink(_ProvenByAccount):
    """The page of the link that makes a new address the address of the account."""

    title = gettext_lazy("Confirm your new address")
    purpose = Purpose.EMAIL_CHANGE
    question = "authsvc_pages/joining/change_address.html"
    act = "authsvc-change-address"

    def messages_of(self, error: ServiceError) -> Mapping[str, str]:
        """Return the text about an address that another account got since the link was mailed."""
        if isinstance(error, UserExists):
            return {
                "form": gettext("Another account has this e-mail address now. Ask for a change to another address.")
            }
        return super().messages_of(error)


class ChangeAddress(ActOfLink, ChangeLink):
    """The change of an address. Without a proof of the account, the new address is not verified."""

    page = "authsvc-page-email-change"
    template = ChangeLink.question

    @operation(input=ProofLinkForm, output=HttpResponse, limits=(CountedByAct(Limit.PASSWORD),))
    def post(self, call: Call) -> HttpResponse:
        """Change the address."""
        address = self.find(call.body["token"], call).address
        password, caller = self.proof(call)
        confirm_email_change(
            token=call.body["token"], password=password, caller=caller, client=call.client, now=call.now
        )
        context = {
            "title": gettext("Your address is changed"),
            "address": address,
            "is_verified": bool(password or caller),
        }
        return self.render(context, template="authsvc_pages/joining/address_changed.html")


class UndoLinkPage(MailedLinkPage):
    """The page of the link that undoes a change of the address."""

    title = gettext_lazy("Undo the change of your address")
    question = "authsvc_pages/joining/undo_address.html"
    act = "authsvc-undo-address"

    def describe(self, token: str, call: Call) -> Mapping[str, object]:
        """Return the address that the account gets back."""
        return {"address": get_undo_link(raw=token, now=call.now).address}

    def messages_of(self, error: ServiceError) -> Mapping[str, str]:
        """Return the text about an address that another account has now."""
        if isinstance(error, UserExists):
            return {
                "form": gettext("Another account has this e-mail address now. Ask the people who run this service.")
            }
        return super().messages_of(error)


class UndoAddress(ActOfLink, UndoLinkPage):
    """The undoing of a change of the address."""

    page = "authsvc-page-email-undo"
    template = UndoLinkPage.question

    @operation(input=LinkForm, output=HttpResponse, limits=(by_network(Limit.MAIL_IP),))
    def post(self, call: Call) -> HttpResponse:
        """Restore the address. Every session ends, so the person sets a new password next."""
        address = get_undo_link(raw=call.body["token"], now=call.now).address
        undo_email_change(token=call.body["token"], client=call.client, now=call.now)
        reset_url = settings().password_reset_url or find_path("authsvc-forgot") or ""
        context = {"title": gettext("Your address is restored"), "address": address, "reset_url": reset_url}
        return self.render(context, template="authsvc_pages/joining/address_restored.html")
