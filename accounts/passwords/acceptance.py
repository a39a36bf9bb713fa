"""The check of a new password before an account gets it."""

from datetime import datetime

from core.db.transactions import write
from core.http.client import Client
from events.audit import record
from events.vocabulary import EventType

from ..errors import PasswordBreached
from .breaches import check_breached
from .rules import check_rules


def check_new_password(*, password: str, email: str, user_id: str | None, client: Client, now: datetime) -> None:
    """Accept the password, or raise PasswordPolicyViolation or PasswordBreached.

    Raises PasswordPolicyViolation, with every broken rule, when the password breaks the policy. Otherwise raises
    PasswordBreached when the password is known from breaches. The function records this refusal as an event in its own
    transaction. `user_id` is None before the account exists.
    """
    check_rules(password=password, email=email)
    try:
        check_breached(password=password)
    except PasswordBreached:
        _record_rejection(user_id=user_id, client=client, now=now)
        raise


@write
def _record_rejection(*, user_id: str | None, client: Client, now: datetime) -> None:
    record(event=EventType.PASSWORD_BREACH_REJECTED, user_id=user_id, client=client, now=now)
