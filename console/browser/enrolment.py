"""The enrolment of a second factor by an operator who has none. It calls the same functions as the API."""

import base64
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

from django.http import HttpResponse
from django.utils.translation import gettext

from accounts.proofs.limits import by_own_mailbox
from accounts.proofs.recent_login import FRESH_PERIOD, check_authenticated, check_recent_login
from core import ratelimit
from core.errors import ServiceError
from core.http.call import Call
from core.http.limits import CountedByAct
from core.http.view import operation
from core.ratelimit import Limit
from mail.limits import MailKind
from mfa.conf import keys
from mfa.passkeys.ceremonies import CeremonyOptions
from mfa.passkeys.errors import InvalidCeremonyToken, InvalidPasskeyResponse
from mfa.recovery import codes as recovery_codes
from mfa.totp import factor as totp
from mfa.totp.errors import InvalidTotpCode, TotpAlreadyEnabled, TotpNotEnabled
from mfa.totp.serializers import CodeInput
from pages.frame import sessions
from pages.frame.forms import NextForm, PageQuery

from . import navigation
from .forms import NewPasskeyForm
from .page import ConsolePage
from .sign_in import Ceremony

T = TypeVar("T")

_NEW_FACTOR = (by_own_mailbox(MailKind.NOTICE), CountedByAct(Limit.MAIL_IP), CountedByAct(Limit.MAIL_ACCOUNT))
"""The limits of the notices about a new factor, and about the recovery codes that `finish` makes."""


def _in_fresh_session(handler: Callable[[Any, Call], T]) -> Callable[[Any, Call], T]:
    """Let the operation run only in a session that was authenticated within FRESH_PERIOD and RECENT_LOGIN_SECONDS.

    A factor that is enrolled later could not confirm a write to the settings in this session. The check comes before
    the limits of the operation; otherwise an old session could use up the notices of the operator's mailbox.
    """

    @wraps(handler)
    def run(page: Any, call: Call) -> T:
        check_authenticated(within=FRESH_PERIOD, caller=call.signed_in, now=call.now)
        check_recent_login(caller=call.signed_in, now=call.now)
        return handler(page, call)

    return run


class CodeForm(NextForm, CodeInput):
    """A code of the authenticator app."""


class EnrolmentPage(ConsolePage):
    """A page that an operator without a second factor may open."""

    needs_factor = False
    template = "authsvc_console/enrol.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the page that follows, and whether the deployment can store second factors."""
        return {"next": self.following(call), "is_possible": bool(keys())}

    def following(self, call: Call) -> str:
        """Return the path of the page that the operator asked for."""
        return navigation.own_page(call.query.get("next") or self.form.values.get("next", ""))

    def is_done(self) -> bool:
        """Return whether the operator needs no enrolment."""
        return self.rights is not None

    def finish(self, call: Call) -> HttpResponse:
        """Return the page with new recovery codes. No other page shows these codes."""
        if self.session is not None:
            sessions.remember_factor(session=self.session)
        ratelimit.hit_all(
            (Limit.MAIL_IP, ratelimit.network_key(call.client.ip)), (Limit.MAIL_ACCOUNT, call.user_id), now=call.now
        )
        codes = recovery_codes.generate(caller=call.signed_in, client=call.client, now=call.now)
        context = {"next": self.following(call), "codes": codes.codes, "text": gettext(codes.notice)}
        return self.render(context, template="authsvc_console/recovery_codes.html")

    def refuse(self, call: Call, error: ServiceError, field: str) -> HttpResponse:
        """Return the page with the message of the error beside the field."""
        return self.refuse_input(call, status=error.status, **{field: gettext(str(error))})


class Enrol(EnrolmentPage):
    """The choice between an authenticator app and a passkey."""

    @operation(query=PageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page. An operator who has a second factor continues at once."""
        if self.is_done():
            return self.redirect(self.following(call))
        return self.render(self.context(call))


class EnrolApp(EnrolmentPage):
    """The enrolment of an authenticator app."""

    template = "authsvc_console/enrol_app.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the secret as a picture and as text. Raises TotpNotEnabled or TotpAlreadyEnabled."""
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
        try:
            return self.render(self.context(call))
        except (TotpNotEnabled, TotpAlreadyEnabled):
            return self.redirect(navigation.with_next("authsvc-console-enrol", page=self.following(call)))

    @_in_fresh_session
    @operation(input=NextForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Make a secret and show it."""
        totp.enroll(caller=call.signed_in, now=call.now)
        return self.redirect(navigation.with_next("authsvc-console-enrol-app", page=self.following(call)))


class ConfirmApp(EnrolApp):
    """The confirmation that the app has the secret."""

    @_in_fresh_session
    @operation(input=CodeForm, output=HttpResponse, limits=_NEW_FACTOR)
    def post(self, call: Call) -> HttpResponse:
        """Confirm the app, and show new recovery codes."""
        try:
            totp.confirm(caller=call.signed_in, code=call.body["code"], client=call.client, now=call.now)
        except InvalidTotpCode as error:
            return self.refuse(call, error, "code")
        except (TotpNotEnabled, TotpAlreadyEnabled):
            return self.redirect(navigation.with_next("authsvc-console-enrol", page=self.following(call)))
        return self.finish(call)


class BeginEnrolPasskey(Ceremony):
    """Begins the registration of a passkey."""

    needs_factor = False

    @_in_fresh_session
    @operation(output=CeremonyOptions)
    def post(self, call: Call) -> CeremonyOptions:
        """Return the options for the browser."""
        from mfa.passkeys import registration as passkey_registration  # noqa: PLC0415 - the library takes 5 MB, and few deployments use passkeys

        return passkey_registration.begin_registration(caller=call.signed_in, conditional=False, now=call.now)


class EnrolPasskey(EnrolmentPage):
    """The registration of a passkey."""

    @_in_fresh_session
    @operation(input=NewPasskeyForm, output=HttpResponse, limits=_NEW_FACTOR)
    def post(self, call: Call) -> HttpResponse:
        """Register the passkey, and show new recovery codes."""
        from mfa.passkeys import registration as passkey_registration  # noqa: PLC0415 - as above

        try:
            passkey_registration.finish_registration(
                caller=call.signed_in,
                ceremony_token=call.body["ceremony_token"],
                credential=call.body["credential"],
                nickname=call.body["nickname"],
                client=call.client,
                now=call.now,
            )
        except (InvalidCeremonyToken, InvalidPasskeyResponse) as error:
            return self.refuse(call, error, "form")
        return self.finish(call)
