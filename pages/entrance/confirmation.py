"""The confirmation before an act that needs a recent login: the person proves again who they are."""

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
from sessions_app.logins.reauthentication import PASSWORD, REAUTHENTICATION_LIMITS, reauthenticate
from sessions_app.logins.second_factors import SecondFactor, enrolled_factors, proof_readers

from ..frame import navigation
from ..frame.ceremony import Ceremony
from ..frame.forms import NextForm, PageQuery
from ..frame.page import Page
from .factor_steps import StepPage, shown_steps
from .forms import PasswordForm
from .refusals import explain


class Confirm(Page):
    """The page that asks for a second factor. It asks for the password when the account has no factor."""

    template = "authsvc_pages/confirm.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the page that follows, and the steps of the factors that the account has."""
        factors = _factors_of(call)
        asked = [factor for factor in factors if factor.page_step is not None and factor.page_step.reauthenticates]
        following, session = self.following(call), self.session
        return {
            "next": following,
            "steps": shown_steps(asked, route="authsvc-confirm-factor"),
            "unasked": [gettext(factor.label) for factor in factors if factor not in asked],
            "asks_password": not factors and session is not None and session.has_password,
            "hidden": {"csrf_token": session.csrf_token if session else "", "next": following}.items(),
            "begin_url": reverse("authsvc-confirm-passkey-begin"),
            "again_url": navigation.with_next("authsvc-sign-in", page=following, again="1"),
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
            return self.refuse_input(call, status=error.status, form=explain(error).text)
        return self.redirect(self.following(call))


class ConfirmByFactor(Confirm, StepPage):
    """A confirmation with a proof of the factor in the path."""

    @operation(input=NextForm, output=HttpResponse, limits=REAUTHENTICATION_LIMITS)
    def post(self, call: Call) -> HttpResponse:
        """Confirm and continue."""
        return self.confirm(call, *self.step().form().fields)


class ConfirmByPassword(Confirm):
    """A confirmation with the password, for an account without a second factor."""

    @operation(input=PasswordForm, output=HttpResponse, limits=REAUTHENTICATION_LIMITS)
    def post(self, call: Call) -> HttpResponse:
        """Confirm and continue. An account with a second factor must use the factor."""
        if _factors_of(call):
            return self.refuse_input(call, status=403, form=gettext("Use your second step to confirm that it is you."))
        return self.confirm(call, *PASSWORD)


class BeginConfirm(Ceremony):
    """Begins a confirmation with a passkey."""

    @operation(output=CeremonyOptions, limits=REAUTHENTICATION_LIMITS)
    def post(self, call: Call) -> CeremonyOptions:
        """Return the options for the browser."""
        from mfa.passkeys import login as passkey_login  # noqa: PLC0415 - the library takes 5 MB, and few deployments use passkeys

        return passkey_login.begin_reauthentication(caller=call.signed_in, now=call.now)


def _factors_of(call: Call) -> Sequence[SecondFactor]:
    return enrolled_factors(account_id=users.to_account_id(call.user_id))
