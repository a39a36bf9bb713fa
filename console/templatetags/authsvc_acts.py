"""The tags that show what an operator can do: on a user's page, and on the page of an attack."""

from datetime import datetime
from typing import Any

from django import template

from accounts.host import users
from accounts.state.lookup import get_account_for_operator

from ..account_acts.conf import act_settings
from ..browser.possible_acts import commands_of, possible_acts, waiting_acts
from ..roles import Right

register = template.Library()


@register.inclusion_tag("authsvc_console/account_acts_panel.html", takes_context=True)
def account_acts(context: Any, user_id: str) -> dict[str, object]:
    """Show the planned acts of the account, and the way to act: links, or the commands while OPERATOR_ACTS is off."""
    is_on = act_settings().is_on
    now: datetime = context["console"]["now"]
    account = get_account_for_operator(user_id=user_id)
    return {
        "email": users.email_of(account.user),
        "user_id": user_id,
        "is_on": is_on,
        "may_act": Right.ACT in context["console"]["rights"],
        "acts": possible_acts(account, now=now) if is_on else [],
        "commands": [] if is_on else commands_of(account, now=now),
        "planned": waiting_acts(user_id=user_id),
    }


@register.inclusion_tag("authsvc_console/block_link.html", takes_context=True)
def block_link(context: Any, network: object) -> dict[str, object]:
    """Show a link to the form that blocks the network, to an operator who may block while OPERATOR_ACTS is on."""
    may_block = act_settings().is_on and Right.ACT in context["console"]["rights"]
    return {"network": str(network), "may_block": may_block}
