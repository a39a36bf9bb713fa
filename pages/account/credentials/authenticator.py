"""The room of the authenticator app."""

import base64
from collections.abc import Mapping
from urllib.parse import parse_qs, urlsplit

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext

from accounts.proofs.limits import by_own_mailbox, signed_in_account
from core.http.call import Call
from core.http.view import operation
from mail.limits import MailKind
from mfa.totp import factor as totp
from mfa.totp.errors import InvalidTotpCode, TotpAlreadyEnabled, TotpNotConfigured, TotpNotEnabled
from mfa.totp.serializers import CodeInput

from ...frame.forms import NextForm, PageQuery
from .factors import FactorPage, RemovalPage, check_keys

APP = "authsvc-account-app"
SCAN = "authsvc-account-app-scan"


class CodeForm(NextForm, CodeInput):
    """A code of the app."""


class App(FactorPage):
    """The authenticator app of the account, or the begin of its set-up."""

    template = "authsvc_pages/account/app.html"

    def check_feature(self) -> None:
        """Raise TotpNotConfigured when the deployment cannot store the secret."""
        check_keys(TotpNotConfigured)

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the time of the confirmation, and what a removal needs."""
        since = totp.find_enabled_at(account=signed_in_account(call))
        return {**super().context(call), "since": since, **self.removal(call, factor=totp.FACTOR.name)}

    @operation(query=PageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page. The set-up needs a fresh login, and so does the removal without a password."""
        context = self.context(call)
        if context["since"] is None:
            self.require_fresh(call)
        return self.render(context)

    @operation(input=NextForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Make a secret, and show it on the next page."""
        self.require_fresh(call)
        try:
            totp.enroll(caller=call.signed_in, now=call.now)
        except TotpAlreadyEnabled:
            return self.redirect(self.at(APP, call))
        return self.redirect(self.at(SCAN, call))


class Scan(FactorPage):
    """The secret as a picture and as text, and the code that proves that the app has it."""

    template = "authsvc_pages/account/app_scan.html"

    def check_feature(self) -> None:
        """Raise TotpNotConfigured when the deployment cannot store the secret."""
        check_keys(TotpNotConfigured)

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the secret. Raises TotpNotEnabled or TotpAlreadyEnabled."""
        enrolment = totp.get_enrolment(caller=call.signed_in, now=call.now)
        (secret,) = parse_qs(urlsplit(enrolment.otpauth_url).query)["secret"]
        picture = base64.b64encode(totp.draw(enrolment)).decode()
        return {
            **super().context(call),
            "picture": f"data:image/svg+xml;base64,{picture}",
            "secret": " ".join(secret[at : at + 4] for at in range(0, len(secret), 4)),
            "otpauth_url": enrolment.otpauth_url,
        }

    @operation(query=PageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page with the secret."""
        self.require_fresh(call)
        try:
            return self.render(self.context(call))
        except (TotpNotEnabled, TotpAlreadyEnabled):
            return self.redirect(self.at(APP, call))

    @operation(input=CodeForm, output=HttpResponse, limits=(by_own_mailbox(MailKind.NOTICE),))
    def post(self, call: Call) -> HttpResponse:
        """Confirm the app."""
        self.require_fresh(call)
        had_factor = self.has_factor()
        try:
            totp.confirm(caller=call.signed_in, code=call.body["code"], client=call.client, now=call.now)
        except InvalidTotpCode as error:
            return self.refuse(call, error, "code")
        except (TotpNotEnabled, TotpAlreadyEnabled):
            return self.redirect(self.at(APP, call))
        return self.finish(
            call, had_factor=had_factor, notice=gettext("Your authenticator app is set up. We mail you a notice.")
        )


class RemoveApp(RemovalPage, App):
    """The removal of the app."""

    @operation(query=PageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return to the page of the app, such as after a confirmation of the login."""
        return self.redirect(self.at(APP, call))

    def remove(self, call: Call) -> HttpResponse:
        """Remove the app."""
        try:
            totp.disable(
                account=signed_in_account(call),
                caller=call.signed_in,
                password=call.body["password"],
                client=call.client,
                now=call.now,
            )
        except TotpNotEnabled:
            return self.redirect(reverse(self.room))
        return self.redirect(
            reverse(self.room), notice=gettext("The authenticator app is removed. We mail you a notice.")
        )
