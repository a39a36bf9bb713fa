"""The recovery of an account whose owner lost all second factors: the request, and its mailed links."""

from collections.abc import Callable, Mapping
from typing import ClassVar

from django.http import HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from accounts.state.mail_tokens import MAILED_TOKEN, Purpose
from core.errors import NotConfigured
from core.http.call import Call
from core.http.limits import EdgeAlone
from core.http.view import Auth, operation
from mfa.conf import is_recovery_on, settings
from mfa.recovery import account_recovery
from sessions_app.errors import InvalidPendingLogin
from sessions_app.logins.pending import COMPLETION_LIMITS, get_pending_within_limits

from ..frame import navigation
from ..frame.page import Page
from .forms import LinkForm, PendingForm
from .mailed import ActOfLink, MailedLinkPage


class _RecoveryPage(Page):
    """A page of a recovery. It is public, because its visitor cannot sign in."""

    auth = Auth.PUBLIC

    def check_feature(self) -> None:
        """Raise NotConfigured while recoveries are off."""
        if not is_recovery_on():
            raise NotConfigured


class LostFactor(Page):
    """The page for a person who lost all second factors. It says what a recovery does, and how long it takes."""

    auth = Auth.PUBLIC
    template = "authsvc_pages/joining/lost_factor.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the length of the wait, and the login that waits."""
        typed = self.form.values
        return {
            "is_on": is_recovery_on(),
            "hours": settings().recovery_wait_hours,
            "pending_token": typed.get("pending_token", ""),
            "next": navigation.own_page(typed.get("next", "")),
        }

    @operation(
        input=PendingForm, output=HttpResponse, limits=EdgeAlone("The page repeats the token and does not look it up.")
    )
    def post(self, call: Call) -> HttpResponse:
        """Return the page. The second step of a login leads here."""
        return self.render(self.context(call))


class StartRecovery(_RecoveryPage):
    """The start of a recovery."""

    template = LostFactor.template

    @operation(
        input=PendingForm,
        output=HttpResponse,
        errors=(NotConfigured, InvalidPendingLogin),
        limits=(*COMPLETION_LIMITS, *account_recovery.START_LIMITS),
    )
    def post(self, call: Call) -> HttpResponse:
        """Start the wait, and say when it ends."""
        pending = get_pending_within_limits(pending_token=call.body["pending_token"], client=call.client, now=call.now)
        started = account_recovery.request_recovery(pending=pending, client=call.client, now=call.now)
        context = {"ready_at": started.ready_at}
        return self.render(context, template="authsvc_pages/joining/recovery_waits.html")

    def answer_error(self, error: Exception) -> HttpResponse:
        """Lead a person whose login no longer waits to the sign-in."""
        if isinstance(error, InvalidPendingLogin):
            context = {"title": gettext("Your sign-in took too long"), "message": gettext(str(error))}
            ways_on = [{"text": gettext("Sign in again"), "url": reverse("authsvc-sign-in")}]
            template = "authsvc_pages/joining/link_failed.html"
            return self.render({**context, "ways_on": ways_on}, template=template, status=error.status)
        return super().answer_error(error)


class _EndOfRecovery(ActOfLink):
    """An act that ends a recovery by a mailed link. It answers with a page that says so."""

    act_on_link: ClassVar[Callable[..., None]]
    done_title: ClassVar[str | Promise]
    done: ClassVar[str]
    """The template of the page after the act."""

    @operation(input=LinkForm, output=HttpResponse, errors=(NotConfigured,), limits=MAILED_TOKEN)
    def post(self, call: Call) -> HttpResponse:
        """End the recovery."""
        type(self).act_on_link(token=call.body["token"], client=call.client, now=call.now)
        return self.render({"title": self.done_title}, template=self.done)


class CancelLink(MailedLinkPage, _RecoveryPage):
    """The page of the link that stops a recovery."""

    title = gettext_lazy("Stop the recovery")
    purpose = Purpose.RECOVERY_CANCEL
    question = "authsvc_pages/joining/cancel_recovery.html"
    act = "authsvc-cancel-recovery"


class CancelRecovery(_EndOfRecovery, CancelLink):
    """The stop of a recovery. The second factors stay."""

    page = "authsvc-page-recovery-cancel"
    template = CancelLink.question
    act_on_link = account_recovery.cancel_recovery
    done_title = gettext_lazy("The recovery is stopped")
    done = "authsvc_pages/joining/recovery_cancelled.html"


class CompleteLink(MailedLinkPage, _RecoveryPage):
    """The page of the link that completes a recovery."""

    title = gettext_lazy("Recover your account")
    purpose = Purpose.RECOVERY_COMPLETE
    question = "authsvc_pages/joining/complete_recovery.html"
    act = "authsvc-complete-recovery"


class CompleteRecovery(_EndOfRecovery, CompleteLink):
    """The completion of a recovery. The second factors and the recovery codes are removed."""

    page = "authsvc-page-recovery-complete"
    template = CompleteLink.question
    act_on_link = account_recovery.complete_recovery
    done_title = gettext_lazy("Your second steps are removed")
    done = "authsvc_pages/joining/recovery_completed.html"
