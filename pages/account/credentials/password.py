"""The room of the password."""

from collections.abc import Mapping

from django.http import HttpResponse
from django.utils.translation import gettext
from rest_framework import serializers

from accounts.acts.change_password import change_password
from accounts.errors import InvalidCredentials, PasswordBreached, PasswordPolicyViolation
from accounts.host import users
from accounts.passwords.rules import INPUT_MAX, NEW_INPUT_MAX
from accounts.proofs.limits import by_account, signed_in_account
from core.http.call import Call
from core.http.fields import Credential
from core.http.view import operation
from core.ratelimit import Limit
from mail.limits import CONFIRMED_NOTICE

from ...frame.new_passwords import broken, rules
from ..page import AccountPage


class PasswordForm(serializers.Serializer[None]):
    """The present password and the new one. An account without a password sends no present one."""

    current_password = Credential(max_length=INPUT_MAX, required=False, default="")
    new_password = Credential(max_length=NEW_INPUT_MAX)


class Password(AccountPage):
    """The change of the password, or its first setting."""

    room = "authsvc-account-password"
    template = "authsvc_pages/account/password.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return whether the account has a password, and the rules of a new one."""
        return {"has_password": self.has_password(call), "rules": rules()}

    def has_password(self, call: Call) -> bool:
        """Return whether the account has a password."""
        return users.has_password(signed_in_account(call).user)

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page. Without a password, a login of the last minutes takes its place."""
        if not self.has_password(call):
            self.require_fresh(call)
        return self.render(self.context(call))

    @operation(input=PasswordForm, output=HttpResponse, limits=(by_account(Limit.PASSWORD), CONFIRMED_NOTICE))
    def post(self, call: Call) -> HttpResponse:
        """Change the password, which ends every session, and say what comes next."""
        try:
            change_password(caller=call.signed_in, **call.body, client=call.client, now=call.now)
        except InvalidCredentials:
            return self.refuse_input(call, status=401, current_password=gettext("This is not your present password."))
        except PasswordPolicyViolation as error:
            return self.refuse_input(call, status=400, new_password=broken(error.details))
        except PasswordBreached as error:
            return self.refuse(call, error, "new_password")
        return self.render_signed_out({}, template="authsvc_pages/account/password_changed.html")
