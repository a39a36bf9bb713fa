"""The confirmation before a change or a test of settings: an operator proves a second factor again."""

from collections.abc import Mapping, Sequence

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext

from accounts.errors import InvalidCredentials
from accounts.host import users
from core.errors import ServiceError
from core.http.call import Call
from core.http.view import operation
from mfa.passkeys.ceremonies import CeremonyOptions
from pages.frame.forms import NextForm, PageQuery
from sessions_app.logins.reauthentication import REAUTHENTICATION_LIMITS, reauthenticate
from sessions_app.logins.second_factors import SecondFactor, enrolled_factors, proof_readers

from . import navigation
from .factor_steps import StepPage, shown_steps
from .forms import PasswordForm
from .page import ConsolePage
from .sign_in import Ceremony


class Confirm(ConsolePage):
    """The page that asks for a second factor. It asks for the password when the operator has no factor."""

    needs_factor = False
    template = "authsvc_console/confirm.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the page that follows, and the steps of the factors that the operator has."""
        factors = _factors_of(call)
        asked = [factor for factor in factors if factor.page_step is not None and factor.page_step.reauthenticates]
        token = self.session.csrf_token if self.session else ""
        return {
            "next": self.following(call),
            "has_factor": bool(factors),
            "steps": shown_steps(asked, route="authsvc-console-confirm-factor"),
            "unasked": [gettext(factor.label) for factor in factors if factor not in asked],
            "hidden": {"csrf_token": token, "next": self.following(call)}.items(),
            "begin_url": reverse("authsvc-console-confirm-passkey-begin"),
        }

    def following(self, call: Call) -> str:
        """Return the path of the page that asked for the confirmation."""
        return navigation.own_page(call.query.get("next") or self.form.values.get("next", ""))

    @operation(query=PageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        return self.render(self.context(call))

    def confirm(self, call: Call, *members: str) -> HttpResponse:
        """Check the proof in these members of the form, and continue with the page that asked for it."""
        body = {name: call.body[name] for name in members}
        try:
            reauthenticate(caller=call.signed_in, body=body, client=call.client, now=call.now)
        except ServiceError as error:
            if not isinstance(error, (InvalidCredentials, *(one for reader in proof_readers for one in reader.errors))):
                raise
            return self.refuse(call, error)
        # The page fills its form again with what the operator typed, unless it shows a notice.
        return self.redirect(self.following(call))

    def refuse(self, call: Call, error: ServiceError) -> HttpResponse:
        """Return the page with the message of the error."""
        return self.refuse_input(call, status=error.status, form=gettext(str(error)))


class ConfirmByFactor(Confirm, StepPage):
    """A confirmation with a proof of the factor in the path."""

    @operation(input=NextForm, output=HttpResponse, limits=REAUTHENTICATION_LIMITS)
    def post(self, call: Call) -> HttpResponse:
        """Confirm and continue."""
        return self.confirm(call, *self.step().form().fields)


class ConfirmByPassword(Confirm):
    """A confirmation with the password, for an operator without a second factor."""

    @operation(input=PasswordForm, output=HttpResponse, limits=REAUTHENTICATION_LIMITS)
    def post(self, call: Call) -> HttpResponse:
        """Confirm and continue. An operator with a second factor must use the factor."""
        if _factors_of(call):
            return self.refuse_input(call, status=403, form=gettext("Confirm with your second factor."))
        return self.confirm(call, "password")


class BeginConfirm(Ceremony):
    """Begins a confirmation with a passkey."""

    needs_factor = False

    @operation(output=CeremonyOptions, limits=REAUTHENTICATION_LIMITS)
    def post(self, call: Call) -> CeremonyOptions:
        """Return the options for the browser."""
        from mfa.passkeys import login as passkey_login  # noqa: PLC0415 - the library takes 5 MB, and few deployments use passkeys

        return passkey_login.begin_reauthentication(caller=call.signed_in, now=call.now)


def _factors_of(call: Call) -> Sequence[SecondFactor]:
    return enrolled_factors(account_id=users.to_account_id(call.user_id))
