"""The check of a new password before an account gets it."""

from datetime import datetime

from core.db.transactions import write
from core.http.client import Client
from events.audit import record
from events.vocabulary import EventType

from ..errors import PasswordBreached, PasswordPolicyViolation
from .breaches import check_breached
from .rules import find_broken_rules, normalize
from .site_validators import find_refusals


def check_new_password(*, password: str, email: str, user_id: str | None, client: Client, now: datetime) -> None:
    """Accept the password, or raise PasswordPolicyViolation or PasswordBreached.

    Raises PasswordPolicyViolation, with every broken rule, when the password breaks the policy or a validator of the host
    project refuses it. Otherwise raises PasswordBreached when the password is known from breaches. The function records
    this refusal as an event in its own transaction. `user_id` is None before the account exists.
    """
    broken = find_broken_rules(password=password, email=email)
    # A longer password could occupy the site's validators for seconds.
    if "max_length" not in broken:
        broken += find_refusals(password=normalize(password), email=email, user_id=user_id)
    if broken:
        raise PasswordPolicyViolation(details=broken)
    try:
        check_breached(password=password)
    except PasswordBreached:
        _record_rejection(user_id=user_id, client=client, now=now)
        raise


@write
def _record_rejection(*, user_id: str | None, client: Client, now: datetime) -> None:
    record(event=EventType.PASSWORD_BREACH_REJECTED, user_id=user_id, client=client, now=now)
