"""Logins with the right password that ended without the second factor.

A client that knows the password and lacks the factor is an attacker, or an owner who gave up. Only the client tells them
apart. So the service reports such an end when the account does not know the client's network or device.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID

from accounts.state.owner_mails import mail_owner
from core.clock import rfc3339
from core.db.transactions import transaction_required, write
from core.http.client import Client
from events.audit import record
from events.vocabulary import EventType
from mail.compose import MailTemplate

from ..conf import DetectionSettings, detection_settings
from ..detection import facts
from ..detection.signals import Signal, report_anomaly
from ..models import PendingLogin
from .login import LoginMethod
from .second_factors import enrolled_factors

BATCH = 100


def is_suspicious(seen: facts.LoginFacts, *, limits: DetectionSettings) -> bool:
    """Return whether another person than the account owner probably stopped.

    True when the account has logins, but none in this network or none with this device. An account without a login knows
    no client. Then only failures from the IP address at any accounts are evidence.
    """
    if seen.known_logins:
        return not (seen.network_is_known and seen.device_is_known)
    return seen.ip_failures >= limits.ip_failures


@transaction_required
def report_if_used_up(*, pending: PendingLogin, now: datetime) -> None:
    """Report the login if wrong proofs have ended it. Needs a transaction, and the lock on the account's row."""
    ended = PendingLogin.objects.filter(pk=pending.pk, consumed_at__isnull=False).first()
    if ended is not None:
        _report(ended, now=now)


class EndPendingLogins:
    """Job that deletes each pending login at its expiry. It reports those that waited in vain for the second factor.

    A later login of the account can explain the stop: the owner began again. Such a login makes the client known.
    """

    name = "pending logins"

    def next_due(self, now: datetime) -> datetime | None:
        return PendingLogin.objects.order_by("expires_at").values_list("expires_at", flat=True).first()

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        expired = list(PendingLogin.objects.filter(expires_at__lte=now).order_by("expires_at")[:BATCH])
        in_vain = [pending for pending in expired if pending.consumed_at is None]
        _delete([pending.pk for pending in expired if pending.consumed_at is not None])
        for pending in in_vain:
            if stop():
                return
            _end(pending, now=now)


@write
def _delete(keys: Sequence[UUID]) -> None:
    PendingLogin.objects.filter(pk__in=keys).delete()


@write
def _end(pending: PendingLogin, *, now: datetime) -> None:
    # The account's row is locked before the pending login, as in a completion.
    facts.hold_account(user_id=str(pending.account_id))
    # With several workers, the one that deletes the row reports it.
    if PendingLogin.objects.filter(pk=pending.pk, consumed_at=None).delete()[0]:
        _report(pending, now=now)


@transaction_required
def _report(pending: PendingLogin, *, now: datetime) -> None:
    limits = detection_settings()
    client = Client(ip=pending.ip, user_agent=pending.user_agent)
    is_known_client = bool(client.ip or client.user_agent)
    if not limits.is_on or pending.method != LoginMethod.PASSWORD or not is_known_client:
        return
    account_id = pending.account_id
    seen = facts.gather_at_login(account_id=account_id, client=client, limits=limits, now=pending.created_at)
    if not is_suspicious(seen, limits=limits):
        return
    event = EventType.LOGIN_STOPPED_AT_FACTOR
    metadata = {
        "method": pending.method,
        "factors": [factor.name for factor in enrolled_factors(account_id=account_id)],
        "wrong_codes": pending.failures,
        "began_at": rfc3339(pending.created_at),
    }
    user_id = str(account_id)
    record(event=event, user_id=user_id, client=client, now=now, metadata=metadata)
    found = {Signal.STOPPED_AT_FACTOR: {"wrong_codes": pending.failures}}
    report_anomaly(found, user_id=user_id, event=event, client=client, limits=limits, now=now)
    # The mail states the time at which the password was entered.
    mail_owner(
        account_id=account_id,
        template=MailTemplate.SIGN_IN_STOPPED,
        values={},
        client=client,
        now=pending.created_at,
    )
