"""The pages that send webhook deliveries again."""

from collections.abc import Mapping

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext

from core.errors import NotFound
from core.http.call import Call
from core.http.view import operation
from events.webhooks.delivery import RESEND_MAX

from ....account_acts.conf import act_settings
from ....deliveries.history import get_delivery
from ....deliveries.resends import ResendRefused, count_failed, resend_delivery, resend_failed
from ....models import REASON_MAX
from ....roles import Right
from ....wording.numbers import number
from .accounts import ActingPage, ReasonForm


class Resend(ActingPage):
    """A form that sends one delivery again, or the command that does."""

    section = "deliveries"
    template = "authsvc_console/resend.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the delivery and the command."""
        delivery = get_delivery(delivery_id=call.path["delivery_id"])
        return {**self.parts(), "delivery": delivery, "command": f"manage.py webhooks resend {delivery.id}"}

    def parts(self) -> Mapping[str, object]:
        """Return the values of both forms."""
        rights = self.rights or frozenset()
        return {"is_on": act_settings().is_on, "may_act": Right.ACT in rights, "reason_max": REASON_MAX}

    @operation(output=HttpResponse, errors=(NotFound,))
    def get(self, call: Call) -> HttpResponse:
        """Show the form."""
        return self.render(self.context(call))

    @operation(input=ReasonForm, output=HttpResponse, errors=(NotFound,))
    def post(self, call: Call) -> HttpResponse:
        """Send the delivery again, and return to its page."""
        self.require_act(call)
        try:
            resend_delivery(
                delivery_id=call.path["delivery_id"],
                reason=call.body["reason"],
                operator_id=call.user_id,
                client=call.client,
                now=call.now,
            )
        except ResendRefused as error:
            return self.refuse_input(call, status=409, form=str(error))
        page = reverse("authsvc-console-delivery", args=[call.path["delivery_id"]])
        return self.redirect(
            page, notice=gettext("A worker sends the delivery again, with the same id and the same bytes.")
        )


class ResendFailed(Resend):
    """A form that sends the failed deliveries again, or the command that does."""

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the number of failed deliveries and the command."""
        failed = count_failed(limit=RESEND_MAX + 1)
        return {**self.parts(), "failed": failed, "most": RESEND_MAX, "command": "manage.py webhooks resend-failed"}

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show the form."""
        return self.render(self.context(call))

    @operation(input=ReasonForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Send the failed deliveries again, and return to the list."""
        self.require_act(call)
        try:
            sent = resend_failed(reason=call.body["reason"], operator_id=call.user_id, client=call.client, now=call.now)
        except ResendRefused as error:
            return self.refuse_input(call, status=409, form=str(error))
        notice = gettext("No delivery has failed.")
        if sent:
            notice = gettext("A worker sends %(number)s failed deliveries again.") % {"number": number(sent)}
        return self.redirect(reverse("authsvc-console-deliveries"), notice=notice)
