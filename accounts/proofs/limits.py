"""Limits that count the calls of a signed-in caller whose session is live.

Each of them raises InvalidAccessToken, and counts nothing, when the session has ended. Otherwise an attacker who was
signed out could use up a limit that the account owner needs.
"""

from core.http.limits import Counted
from core.http.view import Call
from core.ratelimit import Limit
from mail.limits import MailKind, mailbox_key

from ..host import users
from ..state.lookup import get_signed_in_account


def by_account(limit: Limit, *, act: str = "") -> Counted:
    """Return the limit that counts the calls of the caller's account. An act has a budget of its own."""

    def key(call: Call) -> str:
        get_signed_in_account(caller=call.signed_in, now=call.now)
        return f"{act} {call.user_id}".lstrip()

    return Counted(limit, key)


def by_own_mailbox(kind: MailKind) -> Counted:
    """Return the limit that counts the mails of the kind to the mailbox of the caller's account."""

    def key(call: Call) -> str:
        account = get_signed_in_account(caller=call.signed_in, now=call.now)
        return mailbox_key(kind, users.email_of(account.user))

    return Counted(Limit.MAILBOX, key)
