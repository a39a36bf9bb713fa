"""The room of the deletion of the account."""

from collections.abc import Mapping, Sequence

from django.http import HttpResponse
from django.utils.translation import gettext, ngettext
from rest_framework import serializers

from accounts.acts.deletion import delete_account
from accounts.errors import AccountInUse, InvalidCredentials
from accounts.host import users
from accounts.models import Account
from accounts.passwords.rules import INPUT_MAX
from accounts.proofs.limits import by_account, signed_in_account
from apikeys.inventory import KeyHolding
from core.addresses import EMAIL_MAX
from core.http.call import Call
from core.http.fields import Credential
from core.http.view import operation
from core.ratelimit import Limit
from mail.compose import is_mail_on
from mail.limits import CONFIRMED_NOTICE
from sessions_app.families.queries import count_live
from sessions_app.logins.identities import list_identities_of
from sessions_app.logins.second_factors import enrolled_factors

from ..page import AccountPage


class DeletionForm(serializers.Serializer[None]):
    """The name of the account, and the password. An account without a password sends none."""

    name = Credential(max_length=EMAIL_MAX)
    current_password = Credential(max_length=INPUT_MAX, required=False, default="")


class Deletion(AccountPage):
    """The deletion, with all that the person loses."""

    room = "authsvc-account-data"
    template = "authsvc_pages/account/deletion.html"
    kept_fields = ("name",)

    def context(self, call: Call) -> Mapping[str, object]:
        """Return what the person loses, and what the person must type."""
        account = signed_in_account(call)
        return {
            "name": users.display_name_of(account.user),
            "has_password": users.has_password(account.user),
            "losses": _losses(call, account),
        }

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page. Without a password, a login of the last minutes takes its place."""
        if users.has_password(signed_in_account(call).user):
            self.require_recent(call)
        else:
            self.require_fresh(call)
        return self.render(self.context(call))

    @operation(input=DeletionForm, output=HttpResponse, limits=(by_account(Limit.PASSWORD), CONFIRMED_NOTICE))
    def post(self, call: Call) -> HttpResponse:
        """Delete the account, and say what happens now."""
        self.require_recent(call)
        user = signed_in_account(call).user
        name, email = users.display_name_of(user), users.email_of(user)
        if call.body["name"].strip().casefold() != name.casefold():
            text = gettext("Type %(name)s, so that no other account is deleted.") % {"name": name}
            return self.refuse_input(call, status=400, name=text)
        try:
            delete_account(
                caller=call.signed_in,
                current_password=call.body["current_password"],
                client=call.client,
                now=call.now,
            )
        except InvalidCredentials:
            return self.refuse_input(call, status=401, current_password=gettext("This is not your password."))
        except AccountInUse as error:
            return self.refuse(call, error)
        context = {"email": email if is_mail_on() else ""}
        return self.render_signed_out(context, template="authsvc_pages/account/deleted.html")


def _losses(call: Call, account: Account) -> Sequence[str]:
    """Return a line for each kind of thing that the account has."""
    sessions = count_live(account_id=account.pk, now=call.now)
    keys = KeyHolding().count(account_id=account.pk, now=call.now)
    identities = len(list_identities_of(account).identities)
    factors = [gettext(factor.label) for factor in enrolled_factors(account_id=account.pk)]
    lines = [
        ngettext("%(number)s device is signed out.", "%(number)s devices and applications are signed out.", sessions)
        % {"number": sessions}
    ]
    if factors:
        lines.append(gettext("Two-step verification ends: %(ways)s.") % {"ways": ", ".join(factors)})
    if keys:
        text = ngettext("%(number)s API key stops working.", "%(number)s API keys stop working.", keys)
        lines.append(text % {"number": keys})
    if identities:
        text = ngettext(
            "%(number)s connected account is disconnected.",
            "%(number)s connected accounts are disconnected.",
            identities,
        )
        lines.append(text % {"number": identities})
    return lines
