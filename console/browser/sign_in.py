"""The sign-in of operators. It calls the same functions as the login of the API, so locks and limits are the same."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext

from accounts.conf import settings as accounts_settings
from accounts.errors import (
    AccountDeactivated,
    AccountLocked,
    EmailNotVerified,
    InvalidCredentials,
    PasswordResetRequired,
    ReauthenticationRequired,
)
from core.errors import BadRequest, InvalidAccessToken, RateLimited, ServiceError
from core.http.call import Call
from core.http.limits import PAGE, by_network
from core.http.responses import as_service_error, envelope
from core.http.view import Auth, operation
from core.keys.jwt import Caller
from core.ratelimit import Limit
from mail.limits import CONFIRMED_NOTICE
from mfa.conf import keys
from mfa.passkeys.ceremonies import CeremonyOptions
from mfa.passkeys.errors import PasskeysNotConfigured
from pages.frame import sessions
from pages.frame.ended import describe_end
from pages.frame.forms import Form
from pages.frame.page import Answered, Page, Refused
from sessions_app.errors import InvalidPendingLogin
from sessions_app.families.issuing import TokenPair
from sessions_app.logins.login import PASSWORD_LOGIN_LIMITS, PausedLogin, log_in
from sessions_app.logins.pending import COMPLETION_LIMITS, complete, get_pending_within_limits
from sessions_app.logins.second_factors import second_factors

from . import navigation
from .factor_steps import StepPage, shown_steps
from .forms import NextPasskeyForm, PendingForm, SignInForm, SignInQuery
from .page import ConsolePage

FAILURE_STATUS_MIN = 500
"""An error with this status or a higher one shows an error page. An error with a lower one shows the form again."""


class SignInPage(ConsolePage):
    """A step of the sign-in. An error of the login shows the form again, with the message of the API."""

    auth = Auth.PUBLIC
    template = "authsvc_console/sign_in.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the path that the sign-in leads to, whether passkeys are available, and by which name operators sign in."""
        ended = {"ended": describe_end(request=self.request, now=call.now), "lost": call.query.get("lost", "")}
        return {**self._context(call.query.get("next", "")), **ended}

    def answer_error(self, error: Exception) -> HttpResponse:
        """Return the form with the message of a refused login."""
        if isinstance(error, ServiceError) and error.status < FAILURE_STATUS_MIN:
            return self.ask_again(error)
        return super().answer_error(error)

    def ask_again(self, error: ServiceError) -> HttpResponse:
        """Return the form of the first step with the message."""
        return self._refused(error, self._context(), template=SignInPage.template)

    def finish(self, pair: TokenPair, call: Call) -> HttpResponse:
        """Open the session of an operator, and redirect to the page that the operator asked for."""
        try:
            handle = sessions.open_session(pair=pair, now=call.now)
        except InvalidAccessToken:
            # The session ended within this request.
            raise InvalidPendingLogin from None
        if self.session is not None:
            # The new cookie replaces the earlier one, so the earlier session would wait unused for its idle end.
            sessions.close_session(caller=self.session.caller, client=call.client, now=call.now)
        response = self.redirect(navigation.own_page(call.body["next"]))
        sessions.set_cookie(response, handle=handle)
        return response

    def _context(self, following: str = "") -> Mapping[str, object]:
        page = following or self.form.values.get("next", "")
        return {
            "next": navigation.own_page(page),
            "has_passkeys": bool(keys()),
            "by_user_name": accounts_settings().logs_in_by_user_name,
        }

    def _refused(self, error: ServiceError, context: Mapping[str, object], *, template: str) -> HttpResponse:
        form = Form(values=self.form.values, errors={"": _message_of(error)})
        response = self.render(context, template=template, status=error.status, form=form)
        for name, value in error.headers().items():
            response.headers[name] = value
        return response


class SignIn(SignInPage):
    """The first step: address and password, or a passkey alone."""

    @operation(query=SignInQuery, output=HttpResponse, limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the form. A signed-in operator continues at once."""
        if self.session is not None:
            return self.redirect(navigation.own_page(call.query["next"]))
        return self.render(self.context(call))

    @operation(
        input=SignInForm,
        output=HttpResponse,
        errors=(InvalidCredentials, AccountDeactivated, PasswordResetRequired, EmailNotVerified, RateLimited),
        limits=PASSWORD_LOGIN_LIMITS,
    )
    def post(self, call: Call) -> HttpResponse:
        """Sign in with the password, or ask for the second factor."""
        email, password = call.body["email"], call.body["password"]
        answer = log_in(email=email, password=password, client=call.client, now=call.now)
        if isinstance(answer, PausedLogin):
            return self.render(
                _step(answer.pending_token, answer.methods, call.body["next"]),
                template=SecondStep.template,
                form=Form(),
            )
        return self.finish(answer, call)


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
        return self.finish(pair, call)


class SecondStep(SignInPage):
    """The second step: the login waits for a second factor. The pending token is only in the page's forms."""

    template = "authsvc_console/second_step.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the pending token with the forms to show."""
        return self._step_again()

    def ask_again(self, error: ServiceError) -> HttpResponse:
        """Return the form of the second step, or of the first step when the login no longer waits."""
        if isinstance(error, (InvalidPendingLogin, EmailNotVerified)):
            return super().ask_again(error)
        return self._refused(error, self._step_again(), template=SecondStep.template)

    def _step_again(self) -> Mapping[str, object]:
        typed = self.form.values
        return _step(typed.get("pending_token", ""), typed.get("methods", "").split(), typed.get("next", ""))


class CompleteByFactor(SecondStep, StepPage):
    """A proof of the factor in the path completes the sign-in."""

    @operation(input=PendingForm, output=HttpResponse, limits=(*COMPLETION_LIMITS, CONFIRMED_NOTICE))
    def post(self, call: Call) -> HttpResponse:
        """Complete the sign-in with the proof of the form."""
        pending = get_pending_within_limits(pending_token=call.body["pending_token"], client=call.client, now=call.now)
        proof = self.step().read(pending=pending, values=call.body, now=call.now)
        return self.finish(complete(pending=pending, proof=proof, client=call.client, now=call.now), call)


class Ceremony(ConsolePage):
    """Begins a passkey ceremony for the page's script. The answers are JSON in the envelope of the API."""

    def answer_error(self, error: Exception) -> HttpResponse:
        """Return the error in the envelope, or the redirect to the page that must come first."""
        if isinstance(error, (Answered, InvalidAccessToken, ReauthenticationRequired)):
            return super().answer_error(error)
        failure = BadRequest(str(error)) if isinstance(error, Refused) else as_service_error(error)
        # The script shows the message.
        failure.args = (gettext(str(failure)),)
        return envelope(failure)


class BeginSignInByPasskey(Ceremony):
    """Begins a sign-in with a passkey alone."""

    auth = Auth.PUBLIC

    @operation(output=CeremonyOptions, limits=(by_network(Limit.LOGIN_IP),))
    def post(self, call: Call) -> CeremonyOptions:
        """Return the options for the browser."""
        from mfa.passkeys import passkey_only_login  # noqa: PLC0415 - as above

        _require_keys()
        return passkey_only_login.begin_login(now=call.now)


class BeginCompletion(Ceremony):
    """Begins the completion of a sign-in with a passkey."""

    auth = Auth.PUBLIC

    @operation(input=PendingForm, output=CeremonyOptions, limits=COMPLETION_LIMITS)
    def post(self, call: Call) -> CeremonyOptions:
        """Return the options for the browser."""
        from mfa.passkeys import login as passkey_login  # noqa: PLC0415 - as above

        _require_keys()
        pending = get_pending_within_limits(pending_token=call.body["pending_token"], client=call.client, now=call.now)
        return passkey_login.begin_login(pending=pending, now=call.now)


class SignOut(ConsolePage):
    """The end of the session."""

    def find_caller(self, request: HttpRequest, *, now: datetime) -> Caller | None:
        """Return the person of the session, who may be no operator."""
        return Page.find_caller(self, request, now=now)

    @operation(output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """End the session, delete the cookie and lead to the sign-in."""
        sessions.close_session(caller=call.signed_in, client=call.client, now=call.now)
        response = self.redirect(navigation.with_next("authsvc-console-sign-in", page=navigation.prefix()))
        sessions.delete_cookie(response)
        return response


def _message_of(error: ServiceError) -> str:
    """Return the message of the error. That of a lock offers only the ways that the console has."""
    if not isinstance(error, AccountLocked):
        return gettext(str(error))
    if keys():
        return gettext("Too many failed attempts locked this account. Try again later, or sign in with a passkey.")
    return gettext("Too many failed attempts locked this account. Try again later.")


def _step(pending_token: str, methods: Sequence[str], following: str) -> Mapping[str, object]:
    """Return the steps of these methods, and of the codes that replace a factor."""
    asked = [factor for factor in second_factors if factor.name in methods or not factor.gates_login]
    hidden = {"next": navigation.own_page(following), "pending_token": pending_token, "methods": " ".join(methods)}
    return {
        "steps": shown_steps(asked, route="authsvc-console-complete-factor"),
        "unasked": [gettext(factor.label) for factor in asked if factor.page_step is None],
        "hidden": hidden.items(),
        "begin_url": reverse("authsvc-console-complete-passkey-begin"),
    }


def _require_keys() -> None:
    """Raise PasskeysNotConfigured when ENCRYPTION_KEY is unset, as the routes of the API do."""
    if not keys():
        raise PasskeysNotConfigured
