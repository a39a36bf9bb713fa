"""Rate limits of the mails to one mailbox and to one account owner."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from core import ratelimit
from core.addresses import mailbox_of
from core.db import sql
from core.db.transactions import transaction_required
from core.errors import RateLimited
from core.http.limits import Counted, CountedByAct, by_network
from core.ratelimit import Limit

from .conf import SecurityMail
from .models import SecurityMailCount

DAILY_MAX = 5
"""The number of mails of a limited kind that an account owner gets in a day. The day begins with the first mail."""

DAY = timedelta(days=1)

_DAILY_KINDS = {
    SecurityMail.NEW_SIGN_IN,
    SecurityMail.STOPPED_SIGN_IN,
    SecurityMail.LOCK,
    SecurityMail.TOKEN_REUSE,
    SecurityMail.API_KEY,
}
"""The kinds with a daily limit. An attacker could cause many of these mails.

The other kinds report changes by which an attacker can take the account over. The owner must get all of these mails.
"""

# One statement, so that parallel calls cannot exceed the limit.
_COUNT_SQL = f"""
    INSERT INTO {SecurityMailCount._meta.db_table} AS counted (account_id, kind, started_at, count)
    VALUES (%s, %s, %s, 1)
    ON CONFLICT (account_id, kind) DO UPDATE SET
        count = CASE WHEN counted.started_at > %s THEN counted.count + 1 ELSE 1 END,
        started_at = CASE WHEN counted.started_at > %s THEN counted.started_at ELSE excluded.started_at END
    WHERE counted.started_at <= %s OR counted.count < {DAILY_MAX}
"""  # noqa: S608 - only constants are interpolated


class MailKind(StrEnum):
    """The kinds of mails. Each kind has its own budget, so that mails of one kind do not use up another budget."""

    TO_NEW_ADDRESS = "to_new_address"
    """Mails to an address that a signed-in caller names."""
    NOTICE = "notice"
    """Notices to an account owner about an act that needs only an access token."""
    CONFIRMED_NOTICE = "confirmed_notice"
    """Notices about an act that demanded the password or a recovery code.

    An attacker with only a stolen access token cannot use up this budget. The owner can therefore always change the
    password.
    """
    LINK_FROM_KNOWN_NETWORK = "link_from_known_network"
    """Magic links that a client requested from a network in which the account logged in recently.

    Attackers in other networks cannot use up this budget. They therefore cannot block password and magic link at the
    same time.
    """
    LINK = "link"
    """All other magic links."""
    VERIFICATION = "verification"
    """Links that verify the address of an account."""
    RESET_FROM_KNOWN_NETWORK = "reset_from_known_network"
    """Password resets that a client requested from a network in which the account logged in recently."""
    RESET = "reset"
    """All other password resets."""
    RECOVERY = "recovery"
    """First mails about the recovery of an account that lost its second factors."""


def mailbox_key(kind: MailKind, address: str) -> str:
    """Return the key under which the limit MAILBOX counts the mails of the kind to the address."""
    return f"{kind} {mailbox_of(address)}"


def may_mail(kind: MailKind, address: str, *, now: datetime) -> bool:
    """Count one more mail of the kind to the mailbox, and return whether it may be sent.

    Does not raise RateLimited, so the caller's answer does not show that no mail was sent.
    """
    try:
        ratelimit.hit(Limit.MAILBOX, mailbox_key(kind, address), now=now)
    except RateLimited:
        return False
    return True


@transaction_required
def may_notify(*, account_id: Any, kind: SecurityMail, now: datetime) -> bool:
    """Count one more mail of the kind to the account owner, and return whether it may be sent.

    A kind without a daily limit is not counted. Beyond the limit, the count does not rise. Needs a transaction,
    so a rollback also undoes the count.
    """
    if kind not in _DAILY_KINDS:
        return True
    begin = now - DAY
    return bool(sql.execute(_COUNT_SQL, (account_id, kind, now, begin, begin, begin)))


LINK_REQUEST_LIMITS = (
    by_network(Limit.MAIL_IP),
    Counted(Limit.MAIL, lambda call: f"{ratelimit.network_key(call.client.ip)} {mailbox_of(call.body['email'])}"),
)
"""The limits of a request for a link to the address `email` of the body.

MAIL counts by mailbox and network: an attacker in another network must not use up the account owner's limit.
"""

NEW_ADDRESS_LIMITS = (
    by_network(Limit.MAIL_IP),
    Counted(Limit.MAIL, lambda call: mailbox_of(call.body["new_email"])),
    Counted(Limit.MAILBOX, lambda call: mailbox_key(MailKind.TO_NEW_ADDRESS, call.body["new_email"])),
)
"""The limits of a mail to the address `new_email` of the body, which a signed-in caller names."""

CONFIRMED_NOTICE = CountedByAct(Limit.MAILBOX)
"""The limit of the notices of the kind CONFIRMED_NOTICE, which the act counts after the proof."""
