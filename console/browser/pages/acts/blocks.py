"""The page of the blocked networks."""

from collections.abc import Mapping

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from rest_framework import serializers

from core.http.call import Call
from core.http.fields import Text
from core.http.view import operation

from ....account_acts.conf import act_settings
from ....blocks.networks import HOURS_MAX, BlockOrder, BlockRefused, OwnNetwork, block, list_blocks, unblock
from ....models import REASON_MAX
from ....people.users import find_emails
from ....roles import Right
from ....wording.moments import utc_minute
from ...forms import INTEGER_DIGITS
from .accounts import ActingPage, ReasonForm

NETWORK_MAX = 64
DEFAULT_HOURS = 24


class BlocksQuery(serializers.Serializer[None]):
    """The network that another page proposes."""

    network = Text(max_length=NETWORK_MAX, default="")


class Hours(Text):
    """A whole number of hours, as a person types it."""

    def __init__(self) -> None:
        super().__init__(max_length=INTEGER_DIGITS)

    def to_internal_value(self, data: object) -> str:
        text = super().to_internal_value(data).strip()
        if not (text.isascii() and text.isdigit() and len(text) < INTEGER_DIGITS and 1 <= int(text) <= HOURS_MAX):
            raise serializers.ValidationError(gettext("Type a whole number from 1 to %(most)s.") % {"most": HOURS_MAX})
        return text


class BlockForm(ReasonForm):
    """A network, the hours of the block, and the reason."""

    network = Text(max_length=NETWORK_MAX)
    hours = Hours()
    own = Text(max_length=8, default="")


class UnblockForm(ReasonForm):
    """A blocked network, and the reason to unblock it."""

    network = Text(max_length=NETWORK_MAX)


class Blocks(ActingPage):
    """The blocked networks, and a form that blocks one more."""

    section = "blocks"
    template = "authsvc_console/blocks.html"
    is_own = False
    """Whether the last form named the operator's own network."""

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the blocks, with the addresses of their authors, and the content of the form."""
        blocks = list_blocks(now=call.now)
        emails = find_emails(user_ids=[row.author_id for row in blocks])
        rights = self.rights or frozenset()
        return {
            "is_on": act_settings().is_on,
            "may_act": Right.ACT in rights,
            "blocks": [(row, emails.get(row.author_id, gettext("deleted account"))) for row in blocks],
            "network": self.form.values.get("network", "") or call.query.get("network", ""),
            "hours": self.form.values.get("hours", DEFAULT_HOURS),
            "own_ip": call.client.ip,
            "is_own": self.is_own,
            "hours_max": HOURS_MAX,
            "reason_max": REASON_MAX,
        }

    @operation(query=BlocksQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show the blocks."""
        return self.render(self.context(call))

    @operation(input=BlockForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Block the network, and show the list."""
        self.require_act(call)
        order = BlockOrder(
            network=call.body["network"],
            hours=int(call.body["hours"]),
            reason=call.body["reason"],
            operator_id=call.user_id,
            client=call.client,
            is_own_accepted=bool(call.body["own"]),
        )
        try:
            ends_at = block(order, now=call.now)
        except OwnNetwork as error:
            self.is_own = True
            return self.refuse_input(call, status=409, network=str(error))
        except BlockRefused as error:
            return self.refuse_input(call, network=str(error))
        notice = gettext("Blocked until %(time)s. Every process refuses the network within seconds.")
        return self.redirect(reverse("authsvc-console-blocks"), notice=notice % {"time": utc_minute(ends_at)})


class Unblock(Blocks):
    """The form that ends a block."""

    @operation(input=UnblockForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """End the block, and show the list."""
        self.require_act(call)
        is_ended = unblock(
            network=call.body["network"],
            reason=call.body["reason"],
            operator_id=call.user_id,
            client=call.client,
            now=call.now,
        )
        notice = gettext("The block has ended.") if is_ended else gettext("This network was not blocked any more.")
        return self.redirect(reverse("authsvc-console-blocks"), notice=notice)
