"""The sign-in. It calls the same functions as the login of the API, so locks and limits are the same.

The page first asks for the address. Then it offers all ways of the deployment, for every address alike. So neither the
page nor its time tells whether an account has the address.
"""

from collections.abc import Mapping

from django.http import HttpResponse

from accounts.conf import settings as accounts_settings
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
from core.http.mounting import find_path
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
from .entering import SECOND_STEP, EntrancePage, step_context
from .factor_steps import StepPage
from .forms import NextPasskeyForm, PendingForm, SignInForm, SignInQuery

WAYS = "authsvc_pages/ways.html"


class SignInPage(EntrancePage):
    """A page that asks for the address, or offers the ways to sign in with an address."""

    template = "authsvc_pages/sign_in.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the page that follows, the address, and the ways to sign in. They are the same for every address."""
        following = self.following(call)
        return {
            "next": following,
            "again_url": navigation.with_next("authsvc-sign-in", page=following),
            "address": self.form.values.get("email", ""),
            "by_user_name": accounts_settings().logs_in_by_user_name,
            "has_passkeys": bool(keys()),
            "forgot_url": find_path("authsvc-forgot") or "",
            "sign_up_url": find_path("authsvc-sign-up") or "",
        }

    def ask_again(self, call: Call, error: ServiceError) -> HttpResponse:
        """Return the ways of the typed address, or the question for the address."""
        template = WAYS if self.form.values.get("email") else SignInPage.template
        return self.refuse(error, SignInPage.context(self, call), template=template)


class SignIn(SignInPage):
    """The first step: the address and the password."""

    @operation(query=SignInQuery, output=HttpResponse, limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the question for the address. A signed-in person continues at once, unless they sign in again."""
        following = self.following(call)
        if self.session is None:
            states = {"without_cookie": bool(call.query["entered"]), "left": bool(call.query["left"])}
            return self.render({**self.context(call), **states})
        if call.query["again"]:
            return self.render({**self.context(call), "address": self.session.email}, template=WAYS)
        return self.redirect(following)

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
