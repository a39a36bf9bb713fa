"""Limits that count the calls of a signed-in caller whose session is live.

Each of them raises InvalidAccessToken, and counts nothing, when the session has ended. Otherwise an attacker who was
signed out could use up a limit that the account owner needs.
"""

from core.http.call import Call
from core.http.limits import Counted
from core.ratelimit import Limit
from mail.limits import MailKind, mailbox_key

from ..host import users
from ..models import Account
from ..state.lookup import get_signed_in_account


def signed_in_account(call: Call) -> Account:
    """Return the account of a caller whose session is live, and load its user.

    The first use in a request runs the check, and later uses return its result. An act that changes the account checks
    again by `hold_signed_in_account`. Raises InvalidAccessToken when the session has ended.
    """
    if "account" not in call.checked:
        call.checked["account"] = get_signed_in_account(caller=call.signed_in, now=call.now)
    account: Account = call.checked["account"]
    return account


def by_account(limit: Limit, *, act: str = "") -> Counted:
    """Return the limit that counts the calls of the caller's account. An act has a budget of its own."""

    def key(call: Call) -> str:
        signed_in_account(call)
        return f"{act} {call.user_id}".lstrip()

    return Counted(limit, key)


def by_own_mailbox(kind: MailKind) -> Counted:
    """Return the limit that counts the mails of the kind to the mailbox of the caller's account."""

    def key(call: Call) -> str:
        return mailbox_key(kind, users.mailbox_of(signed_in_account(call).user))

    return Counted(Limit.MAILBOX, key)
