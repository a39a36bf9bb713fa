"""The sign-in by password, by a passkey and with a second factor.

The pages call the same functions as the login of the API, so locks and limits are the same.
"""

from collections.abc import Mapping

from django.http import HttpResponse
from django.utils.translation import gettext

from accounts.errors import (
    AccountDeactivated,
    AccountLocked,
    EmailNotVerified,
    InvalidCredentials,
    PasswordResetRequired,
)
from core.errors import RateLimited, ServiceError
from core.http.call import Call
from core.http.limits import PAGE, by_network
from core.http.view import Auth, operation
from core.ratelimit import Limit
from mail.limits import CONFIRMED_NOTICE
from mfa.conf import keys
from mfa.passkeys.ceremonies import CeremonyOptions
from mfa.passkeys.errors import PasskeysNotConfigured
from sessions_app.errors import InvalidPendingLogin
from sessions_app.logins.login import PASSWORD_LOGIN_LIMITS, log_in
from sessions_app.logins.pending import COMPLETION_LIMITS, complete, get_pending_within_limits

from ..frame import navigation
from ..frame.ceremony import Ceremony
from ..frame.ended import describe_end
from ..frame.forms import Form
from ..frame.page import Refused
from ..frame.site_sessions import site_sessions
from .entering import SECOND_STEP, step_context
from .factor_steps import StepPage
from .forms import NextPasskeyForm, PendingForm, SignInForm, SignInQuery
from .ways import WAYS, SignInPage


class SignIn(SignInPage):
    """The first step: the address and the password."""

    @operation(query=SignInQuery, output=HttpResponse, limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the question for the address. A signed-in person continues at once, unless they sign in again."""
        if call.query["return_to"] and not navigation.is_elsewhere(call.query["return_to"]):
            raise Refused(
                status=400,
                message=gettext(
                    "This sign-in cannot lead back to the application that sent you. Go back to the application, and tell "
                    "its support."
                ),
            )
        if self.session is None:
            states = {
                "without_cookie": bool(call.query["entered"]),
                "left": bool(call.query["left"]),
                "ended": describe_end(request=self.request, now=call.now),
                "lost": bool(call.query["lost"]),
            }
            expected = Form(values={"email": call.query["email"]})
            return self.render({**self.context(call), **states}, form=expected)
        if call.query["again"]:
            return self.render({**self.context(call), "address": self.session.email}, template=WAYS)
        following = self.following(call)
        is_everywhere = all(one.is_open(request=self.request, session=self.session) for one in site_sessions)
        if is_everywhere or navigation.is_elsewhere(following):
            return self.lead_to(following)
        # Without the session of the site, its page would lead here again.
        return self.redirect(navigation.with_next("authsvc-sign-in-continue", page=following))

    def following(self, call: Call) -> str:
        """Return the address of the application, or else the path of the page that follows."""
        return call.query.get("return_to") or super().following(call)

    @operation(
        input=SignInForm,
        output=HttpResponse,
        errors=(
            InvalidCredentials,
            AccountLocked,
            AccountDeactivated,
            PasswordResetRequired,
            EmailNotVerified,
            RateLimited,
        ),
        limits=PASSWORD_LOGIN_LIMITS,
    )
    def post(self, call: Call) -> HttpResponse:
        """Sign in with the password. Without one, offer the ways to sign in."""
        email, password = call.body["email"], call.body["password"]
        if not password:
            return self.render(self.context(call), template=WAYS)
        answer = log_in(email=email, password=password, client=call.client, now=call.now)
        return self.finish_login(answer, call, following=self.following(call))


class SignInByPasskey(SignInPage):
    """A sign-in with a passkey alone."""

    @operation(input=NextPasskeyForm, output=HttpResponse, limits=(by_network(Limit.LOGIN_IP),))
    def post(self, call: Call) -> HttpResponse:
        """Sign in with the passkey's response."""
        from mfa.passkeys import passkey_only_login  # noqa: PLC0415 - the library takes 5 MB, and few deployments use passkeys

        _require_keys()
        pair = passkey_only_login.log_in(
            ceremony_token=call.body["ceremony_token"],
            credential=call.body["credential"],
            client=call.client,
            now=call.now,
        )
        return self.finish_login(pair, call, following=self.following(call))


class BeginSignInByPasskey(Ceremony):
    """Begins a sign-in with a passkey alone."""

    auth = Auth.PUBLIC

    @operation(output=CeremonyOptions, limits=(by_network(Limit.LOGIN_IP),))
    def post(self, call: Call) -> CeremonyOptions:
        """Return the options for the browser."""
        from mfa.passkeys import passkey_only_login  # noqa: PLC0415 - as above

        _require_keys()
        return passkey_only_login.begin_login(now=call.now)


class CompleteByFactor(SignInPage, StepPage):
    """The second step: a proof of the factor in the path completes a login. The pending token is only in the form."""

    template = SECOND_STEP

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the pending token with the forms to show."""
        typed = self.form.values
        return step_context(typed.get("pending_token", ""), typed.get("methods", "").split(), typed.get("next", ""))

    def ask_again(self, call: Call, error: ServiceError) -> HttpResponse:
        """Return the forms of the second step, or the first step when the login no longer waits."""
        if isinstance(error, (InvalidPendingLogin, EmailNotVerified)):
            return super().ask_again(call, error)
        return self.refuse(error, self.context(call), template=SECOND_STEP)

    @operation(input=PendingForm, output=HttpResponse, limits=(*COMPLETION_LIMITS, CONFIRMED_NOTICE))
    def post(self, call: Call) -> HttpResponse:
        """Complete the login with the proof of the form."""
        pending = get_pending_within_limits(pending_token=call.body["pending_token"], client=call.client, now=call.now)
        proof = self.step().read(pending=pending, values=call.body, now=call.now)
        pair = complete(pending=pending, proof=proof, client=call.client, now=call.now)
        return self.finish_login(pair, call, following=self.following(call))


class BeginCompletion(Ceremony):
    """Begins the completion of a login with a passkey."""

    auth = Auth.PUBLIC

    @operation(input=PendingForm, output=CeremonyOptions, limits=COMPLETION_LIMITS)
    def post(self, call: Call) -> CeremonyOptions:
        """Return the options for the browser."""
        from mfa.passkeys import login as passkey_login  # noqa: PLC0415 - as above

        _require_keys()
        pending = get_pending_within_limits(pending_token=call.body["pending_token"], client=call.client, now=call.now)
        return passkey_login.begin_login(pending=pending, now=call.now)


def _require_keys() -> None:
    """Raise PasskeysNotConfigured when ENCRYPTION_KEY is unset, as the routes of the API do."""
    if not keys():
        raise PasskeysNotConfigured
