"""Recoveries of accounts that lost their second factors, through the API, the worker's job and the mailbox."""

from email.message import EmailMessage

from core.clock import now
from mfa.recovery.account_recovery import ContinueRecoveries

from .client import Answer, Api
from .mails import delivered, token_in
from .people import Person
from .second_factors import pause

WAIT_HOURS = 72
"""The setting of the test projects."""


def request(api: Api, pending_token: object) -> Answer:
    """Request the recovery of the account whose login waits."""
    return api.post("/v1/recovery/request", {"pending_token": pending_token})


def cancel(api: Api, token: object) -> Answer:
    """Cancel a recovery by a mailed token."""
    return api.post("/v1/recovery/cancel", {"token": token})


def complete(api: Api, token: object) -> Answer:
    """Complete a recovery by a mailed token."""
    return api.post("/v1/recovery/complete", {"token": token})


def start(person: Person, api: Api | None = None) -> str:
    """Log in by password, request the recovery, and return the token that cancels it. Other mails are deleted."""
    delivered(person.email)
    caller = api or person.api
    assert request(caller, pause(person, caller)).status == 200
    (mail,) = delivered(person.email)
    return token_in(mail)


def continued(person: Person) -> list[EmailMessage]:
    """Run the worker's job if it is due. Return the new mails to the person."""
    job = ContinueRecoveries()
    due = job.next_due(now())
    if due is not None and due <= now():
        job.run(now(), lambda: False)
    return delivered(person.email)
