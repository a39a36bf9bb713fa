"""The page of the acts on an account."""

from collections.abc import Mapping

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, gettext_noop
from rest_framework import serializers

from accounts.host import users
from accounts.state.lookup import get_account_for_operator
from core.errors import NotFound, ServiceError
from core.http.call import Call
from core.http.fields import Text
from core.http.view import operation
from mail.compose import is_mail_on
from pages.frame.forms import Form
from pages.frame.page import Refused
from sessions_app.logins.second_factors import enrolled_factors

from ....account_acts.catalogue import ACTS, ActName, ActRefused
from ....account_acts.conf import act_settings
from ....account_acts.performing import Order, find_obstacle, order_act
from ....account_acts.planned import cancel
from ....models import REASON_MAX
from ....roles import Right
from ....wording.moments import utc_minute
from ...page import ConsolePage
from ...possible_acts import commands_of, possible_acts, waiting_acts

NEEDS_FACTOR = gettext_noop("An act needs a second factor of yours. Set one up at /console/enrol, then try again.")


class Reason(Text):
    """The reason of an act. It is one text without blanks around it, and never empty."""

    def __init__(self) -> None:
        super().__init__(max_length=REASON_MAX, allow_blank=False)

    def to_internal_value(self, data: object) -> str:
        text = super().to_internal_value(data).strip()
        if not text:
            raise serializers.ValidationError(gettext("Type the reason."))
        return text


class ReasonForm(serializers.Serializer[None]):
    """The reason of an act."""

    reason = Reason()


class ActQuery(serializers.Serializer[None]):
    """The act that the page proposes."""

    act = serializers.ChoiceField(choices=[(act.value, act.value) for act in ActName], default="")


class ActForm(ReasonForm):
    """An act on an account, with its reason."""

    act = serializers.ChoiceField(
        choices=[(act.value, act.value) for act in ActName],
        error_messages=dict.fromkeys(("required", "invalid_choice"), gettext_lazy("Choose an act.")),
    )


class ActingPage(ConsolePage):
    """A page whose forms act. Each act needs the setting, the right, and a fresh proof of a second factor."""

    writes_need = Right.ACT

    def check_feature(self) -> None:
        """Raise Refused for a form while OPERATOR_ACTS is off. Such a page says how to act instead."""
        if self.request.method == "POST" and not act_settings().is_on:
            raise Refused(status=403, message=gettext("OPERATOR_ACTS is off, so the console does not act."))

    def require_act(self, call: Call) -> None:
        """Raise Refused for an operator without a second factor, and ReauthenticationRequired after an old proof."""
        if not enrolled_factors(account_id=users.to_account_id(call.user_id)):
            raise Refused(status=403, message=gettext(NEEDS_FACTOR))
        self.require_recent_factor(call)


class ActOnAccount(ActingPage):
    """The acts on an account: a form for one act, and the acts that wait."""

    section = "users"
    template = "authsvc_console/account_acts.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the account, its possible acts or their commands, and the acts that wait."""
        account = get_account_for_operator(user_id=call.path["user_id"])
        user_id = str(account.pk)
        is_on = act_settings().is_on
        return {
            "user_id": user_id,
            "email": users.email_of(account.user),
            "is_on": is_on,
            "is_mail_on": is_mail_on(),
            "obstacle": find_obstacle(user_id=user_id, operator_id=call.user_id) if is_on else "",
            "acts": possible_acts(account, now=call.now),
            "commands": commands_of(account, now=call.now),
            "planned": waiting_acts(user_id=user_id),
            "reason_max": REASON_MAX,
        }

    @operation(query=ActQuery, output=HttpResponse, errors=(NotFound,))
    def get(self, call: Call) -> HttpResponse:
        """Show the acts. The act of the query is chosen already."""
        return self.render(self.context(call), form=Form(values={"act": call.query["act"]}))

    @operation(input=ActForm, output=HttpResponse, errors=(NotFound,))
    def post(self, call: Call) -> HttpResponse:
        """Do the act or plan it, and return to the user's page."""
        self.require_act(call)
        act = ActName(call.body["act"])
        order = Order(
            act=act,
            user_id=call.path["user_id"],
            reason=call.body["reason"],
            operator_id=call.user_id,
            client=call.client,
        )
        try:
            due_at = order_act(order, now=call.now)
        except ActRefused as error:
            return self.refuse_input(call, status=409, form=str(error))
        except NotFound:
            raise
        except ServiceError as error:
            return self.refuse_input(call, status=error.status, form=gettext(str(error)))
        notice = str(ACTS[act].done)
        if due_at is not None:
            planned = gettext("%(act)s: planned for %(time)s. It can be cancelled until then.")
            notice = planned % {"act": ACTS[act].label, "time": utc_minute(due_at)}
        if not is_mail_on():
            notice += " " + gettext("Mail is off, so the owner got no mail.")
        return self.redirect(reverse("authsvc-console-user", args=[call.path["user_id"]]), notice=notice)


class CancelAct(ActOnAccount):
    """The form that cancels an act that waits."""

    @operation(input=ReasonForm, output=HttpResponse, errors=(NotFound,))
    def post(self, call: Call) -> HttpResponse:
        """Cancel the act, and return to the page of the acts."""
        self.require_act(call)
        try:
            act = cancel(
                planned_id=call.path["planned_id"],
                user_id=call.path["user_id"],
                reason=call.body["reason"],
                operator_id=call.user_id,
                client=call.client,
                now=call.now,
            )
        except ActRefused as error:
            return self.refuse_input(call, status=409, form=str(error))
        notice = gettext("This act no longer waits. It was done or cancelled.")
        if act:
            notice = gettext("%(act)s: cancelled.") % {"act": ACTS[act].label}
        return self.redirect(reverse("authsvc-console-acts", args=[call.path["user_id"]]), notice=notice)
