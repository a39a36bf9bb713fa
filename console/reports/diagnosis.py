"""A diagnosis for a user who cannot sign in. The report describes a locked account but cannot unlock it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar

from accounts.acts.invitations import open_invitations
from accounts.host.changes import is_deactivated
from accounts.models import Account
from accounts.proofs.lockout import is_locked
from accounts.state.lookup import find_account_for_operator
from core.addresses import email_key
from core.http.examples import EMAIL, USER_ID
from mail.compose import is_mail_on
from mail.conf import settings as mail_settings
from sessions_app.families.queries import count_live
from sessions_app.logins.second_factors import enrolled_factors

from ..attacks.stops import Reached, find_reached
from ..people.users import Activity, live_failures, recent_activity
from .verdict import Findings, verdict_of, verdict_without_account


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """The facts about an address. Without an account, only `email`, `found`, `verdict` and `text` have a meaning.

    `verdict` is for the user: a supporter can read it aloud. `text` is for the supporter.
    """

    example: ClassVar = {
        "email": EMAIL,
        "found": True,
        "user_id": USER_ID,
        "verdict": "Your account is not locked, but the sign-in failed 2 times in a row.",
        "locked": False,
        "locked_until": None,
        "failed_attempts": 2,
        "active_sessions": 1,
        "recent_events": [Activity.example],
        "text": "The account has existed since 2026-11-14. It is not locked, but has 2 consecutive failed attempts.",
    }

    email: str
    found: bool
    user_id: str | None = None
    verdict: str
    locked: bool = False
    locked_until: datetime | None = None
    failed_attempts: int = 0
    active_sessions: int = 0
    recent_events: Sequence[Activity] = ()
    text: str


def diagnose(*, email: str, now: datetime) -> Diagnosis:
    """Return the facts about the address, in any spelling. `found` is False when no account has the address."""
    account = find_account_for_operator(email=email)
    if account is None:
        invitation = list(_describe_invitation(email, now=now))
        text = " ".join([f"No account has the address {email}.", *invitation])
        verdict = verdict_without_account(is_invited=bool(invitation))
        return Diagnosis(email=email, found=False, verdict=verdict, text=text)
    locked = is_locked(locked_until=account.locked_until, now=now)
    failures = live_failures(account, now=now)
    sessions = count_live(account_id=account.pk, now=now)
    factors = [factor.label for factor in enrolled_factors(account_id=account.pk)]
    reached = find_reached(user_id=str(account.pk), now=now)
    warning = reached if reached is not None and reached.is_open else None
    findings = Findings(
        is_deactivated=is_deactivated(account),
        has_retired_password=bool(account.retired_hash),
        stopped_at=warning.at if warning and not warning.was_opened else None,
        opened_at=warning.at if warning and warning.was_opened else None,
        locked_until=account.locked_until if locked else None,
        needs_confirmed_address=account.email_proven_at is None and mail_settings().email_verification == "required",
        failed_attempts=failures,
        has_mails=is_mail_on(),
        factors=factors,
    )
    return Diagnosis(
        email=email,
        found=True,
        user_id=str(account.pk),
        verdict=verdict_of(findings),
        locked=locked,
        locked_until=account.locked_until,
        failed_attempts=failures,
        active_sessions=sessions,
        recent_events=recent_activity(user_id=str(account.pk)),
        text=render(
            account,
            locked=locked,
            failures=failures,
            sessions=sessions,
            factors=factors,
            reached=reached,
        ),
    )


def render(
    account: Account, *, locked: bool, failures: int, sessions: int, factors: Sequence[str], reached: Reached | None
) -> str:
    """Return the diagnosis in English sentences."""
    return " ".join(
        [
            *_describe_reached(reached),
            f"The account has existed since {_day(account.created_at)}.",
            *_describe_state(account),
            _describe_lock(account, locked=locked, failures=failures),
            _describe_address(account),
            f"A login needs a second factor: {' or '.join(factors)}." if factors else "It has no second factor.",
            "It has no active session." if sessions == 0 else f"It has {_number(sessions, 'active session')}.",
        ]
    )


def _describe_reached(reached: Reached | None) -> Iterator[str]:
    """Yield how an attack reached the account, which is more urgent than all else."""
    if reached is not None:
        what = "may have signed in" if reached.was_opened else "knew the password and stopped at the second factor"
        state = "The password is still the same." if reached.is_open else "The owner has changed the password since."
        yield f"Another person {what}, at {_moment(reached.at)} from {reached.ip}. {state}"


def _describe_state(account: Account) -> Iterator[str]:
    """Yield why no one can sign in, or why the password no longer works."""
    if account.deactivated_at is not None:
        yield (
            f"It is deactivated since {_moment(account.deactivated_at)}, so no one can sign in. The command "
            f"`manage.py users reactivate {account.pk}` reactivates it."
        )
    elif is_deactivated(account):
        yield "The site has deactivated it (`is_active` is false), so no one can sign in."
    if account.retired_hash:
        yield "An operator retired its password: the owner has to reset the password."


def _describe_invitation(email: str, *, now: datetime) -> Iterator[str]:
    invitation = open_invitations(now=now).filter(email_key=email_key(email)).first()
    if invitation is not None:
        yield f"It has an invitation, which is open until {_moment(invitation.expires_at)}."


def _describe_lock(account: Account, *, locked: bool, failures: int) -> str:
    if locked and account.locked_until:
        return (
            f"It is locked until {_moment(account.locked_until)} after {_number(failures, 'failed attempt')}; the lock "
            "ends by itself. Until then the user can sign in with a magic link."
        )
    if failures:
        return f"It is not locked, but has {_number(failures, 'consecutive failed attempt')}."
    return "It is not locked."


def _describe_address(account: Account) -> str:
    if account.email_proven_at is None:
        return "Its address is not confirmed."
    return f"Its address was confirmed on {_day(account.email_proven_at)}."


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _day(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d}"


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
