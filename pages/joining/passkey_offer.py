"""The page that offers a passkey after a login by password, or asks an invited person to make one.

Where the browser can, it makes the passkey without a question, right after its passkey manager filled in the password.
"""

from collections.abc import Mapping

from django.http import HttpResponse
from django.utils.translation import gettext

from accounts.proofs.limits import by_own_mailbox
from accounts.proofs.recent_login import needs_recent_login
from core.errors import NotConfigured
from core.http.call import Call
from core.http.mounting import find_path
from core.http.view import operation
from mail.limits import MailKind
from mfa.conf import keys
from mfa.passkeys.ceremonies import CeremonyOptions
from mfa.passkeys.errors import InvalidCeremonyToken, InvalidPasskeyResponse
from sessions_app.logins.login import is_password_login
from sessions_app.logins.second_factors import enrolled_factors

from ..frame import navigation, passkey_offers, sessions
from ..frame.ceremony import Ceremony
from ..frame.forms import PageQuery
from ..frame.page import Page
from .forms import BeginPasskeyForm, OfferedPasskeyForm


class OfferPasskey(Page):
    """The offer of a passkey."""

    template = "authsvc_pages/joining/passkey_offer.html"

    def check_feature(self) -> None:
        """Raise NotConfigured while the service cannot store passkeys."""
        if not keys():
            raise NotConfigured

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the page that follows, and whether the browser may make the passkey by itself."""
        session = self.session
        return {
            "next": navigation.place_after_sign_in(call.query.get("next") or self.form.values.get("next", "")),
            "is_conditional": session is not None
            and is_password_login(account_id=session.account_id, at=session.authenticated_at),
            "is_only_way": session is not None and not session.has_password,
        }

    @operation(query=PageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the offer. It counts as seen from now on."""
        if self.session is not None:
            passkey_offers.remember(account_id=self.session.account_id, now=call.now)
        return self.render(self.context(call))

    @needs_recent_login
    @operation(input=OfferedPasskeyForm, output=HttpResponse, limits=(by_own_mailbox(MailKind.NOTICE),))
    def post(self, call: Call) -> HttpResponse:
        """Register the passkey."""
        from mfa.passkeys import registration as passkey_registration  # noqa: PLC0415 - the library takes 5 MB, and few deployments use passkeys

        is_first = self.session is not None and not enrolled_factors(account_id=self.session.account_id)
        try:
            passkey_registration.finish_registration(
                caller=call.signed_in,
                ceremony_token=call.body["ceremony_token"],
                credential=call.body["credential"],
                nickname="",
                client=call.client,
                now=call.now,
            )
        except (InvalidCeremonyToken, InvalidPasskeyResponse) as error:
            return self.refuse_input(call, status=error.status, form=gettext(str(error)))
        if self.session is not None and is_first:
            # A thief of the password must not pass with a passkey that was added beside the owner's factor.
            sessions.remember_factor(session=self.session)
        following = navigation.place_after_sign_in(call.body["next"])
        if call.body["silent"] and not navigation.is_elsewhere(following):
            notice = gettext(
                "A passkey was saved. From now on, sign in with it: the password alone is no longer enough."
            )
            return self.redirect(following, notice=notice)
        context = {"next": following, "codes_url": find_path("authsvc-account-recovery-codes") or ""}
        return self.render(context, template="authsvc_pages/joining/passkey_added.html")


class BeginOfferedPasskey(Ceremony):
    """Begins the registration of a passkey."""

    @needs_recent_login
    @operation(input=BeginPasskeyForm, output=CeremonyOptions)
    def post(self, call: Call) -> CeremonyOptions:
        """Return the options for the browser."""
        from mfa.passkeys import registration as passkey_registration  # noqa: PLC0415 - as above

        if not keys():
            raise NotConfigured
        conditional = bool(call.body["conditional"])
        return passkey_registration.begin_registration(caller=call.signed_in, conditional=conditional, now=call.now)
