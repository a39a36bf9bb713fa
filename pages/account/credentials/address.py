"""The room of the e-mail address."""

from collections.abc import Mapping
from typing import ClassVar

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from accounts.acts.email_change import request_email_change
from accounts.acts.email_verification import EmailVerified, request_verification
from accounts.acts.pending_email_change import find_pending_change, give_up_email_change
from accounts.host import users
from accounts.proofs.limits import by_own_mailbox, signed_in_account
from accounts.proofs.recent_login import needs_recent_login
from accounts.state.proven_addresses import is_address_proven
from core.addresses import EMAIL_MAX, email_key, normalize_email
from core.errors import BadRequest, NotConfigured
from core.http.call import Call
from core.http.fields import Text
from core.http.limits import by_caller, by_network
from core.http.view import operation
from core.ratelimit import Limit
from mail.compose import is_mail_on
from mail.limits import NEW_ADDRESS_LIMITS, MailKind

from ..page import AccountPage

ROOM = "authsvc-account-address"


class AddressField(Text):
    """An e-mail address that an account can have."""

    default_error_messages: ClassVar = dict.fromkeys(
        ("address", "blank"), gettext_lazy("This is not an e-mail address. It looks like name@example.com.")
    )

    def __init__(self) -> None:
        super().__init__(max_length=EMAIL_MAX, allow_blank=False)

    def to_internal_value(self, data: object) -> str:
        """Return the text. The domain call normalizes it."""
        text = super().to_internal_value(data)
        if normalize_email(text) is None:
            self.fail("address")
        return text


class NewAddressForm(serializers.Serializer[None]):
    """The new address."""

    new_email = AddressField()


class Address(AccountPage):
    """The address of the account, whether it is verified, and the change that waits."""

    room = ROOM
    template = "authsvc_pages/account/address.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the address and its state."""
        account = signed_in_account(call)
        return {
            "address": users.email_of(account.user),
            "is_proven": is_address_proven(account_id=account.pk),
            "pending": find_pending_change(account_id=account.pk, now=call.now),
            "is_mail_on": is_mail_on(),
        }

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        return self.render(self.context(call))


class _MailPage(AccountPage):
    """A page that exists only while mail is on."""

    room = ROOM

    def check_feature(self) -> None:
        """Raise NotConfigured while mail is off."""
        if not is_mail_on():
            raise NotConfigured


class VerifyAddress(_MailPage):
    """The mail with a link that verifies the address."""

    @operation(
        output=HttpResponse,
        limits=(by_network(Limit.MAIL_IP), by_caller(Limit.MAIL_ACCOUNT), by_own_mailbox(MailKind.VERIFICATION)),
    )
    def post(self, call: Call) -> HttpResponse:
        """Mail the link."""
        answer = request_verification(caller=call.signed_in, client=call.client, now=call.now)
        notice = (
            gettext("Your address is confirmed already.")
            if isinstance(answer, EmailVerified)
            else gettext("We mail you a link. Open it to confirm your address.")
        )
        return self.redirect(reverse(ROOM), notice=notice)


class NewAddress(_MailPage):
    """The request of a change of the address."""

    template = "authsvc_pages/account/address_new.html"
    kept_fields = ("new_email",)

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the present address."""
        return {"address": self.live.email}

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        self.require_recent(call)
        return self.render(self.context(call))

    @needs_recent_login
    @operation(
        input=NewAddressForm,
        output=HttpResponse,
        limits=(*NEW_ADDRESS_LIMITS, by_caller(Limit.MAIL_ACCOUNT), by_own_mailbox(MailKind.NOTICE)),
    )
    def post(self, call: Call) -> HttpResponse:
        """Mail a link to the new address, and a notice to the present one."""
        address = call.body["new_email"]
        if email_key(normalize_email(address) or "") == email_key(self.live.email):
            return self.refuse_input(call, status=400, new_email=gettext("This is your present address."))
        try:
            request_email_change(caller=call.signed_in, new_email=address, client=call.client, now=call.now)
        except BadRequest as error:
            return self.refuse(call, error, "new_email")
        notice = gettext("We mail a link to %(address)s. Your address changes when you open it there.")
        return self.redirect(reverse(ROOM), notice=notice % {"address": normalize_email(address)})


class GiveUpChange(AccountPage):
    """The end of a change that waits."""

    room = ROOM

    @operation(output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Void the link in the mail to the new address."""
        give_up_email_change(caller=call.signed_in, now=call.now)
        return self.redirect(
            reverse(ROOM), notice=gettext("The change is cancelled. The link in the mail no longer works.")
        )
