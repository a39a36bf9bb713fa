"""A diagnosis for a user who cannot sign in. The report describes a locked account but cannot unlock it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar

from django.utils.translation import gettext, ngettext

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
from ..wording.lists import any_of
from ..wording.moments import utc_minute
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
        text = " ".join([gettext("No account has the address %(email)s.") % {"email": email}, *invitation])
        verdict = verdict_without_account(is_invited=bool(invitation))
        return Diagnosis(email=email, found=False, verdict=verdict, text=text)
    locked = is_locked(locked_until=account.locked_until, now=now)
    failures = live_failures(account, now=now)
    sessions = count_live(account_id=account.pk, now=now)
    factors = [gettext(factor.label) for factor in enrolled_factors(account_id=account.pk)]
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
    """Return the diagnosis in sentences."""
    factor_text = gettext("A login needs a second factor: %(factors)s.")
    session_text = ngettext("It has %(number)s active session.", "It has %(number)s active sessions.", sessions)
    return " ".join(
        [
            *_describe_reached(reached),
            gettext("The account has existed since %(day)s.") % {"day": _day(account.created_at)},
            *_describe_state(account),
            _describe_lock(account, locked=locked, failures=failures),
            _describe_address(account),
            factor_text % {"factors": any_of(factors)} if factors else gettext("It has no second factor."),
            gettext("It has no active session.") if sessions == 0 else session_text % {"number": sessions},
        ]
    )


def _describe_reached(reached: Reached | None) -> Iterator[str]:
    """Yield how an attack reached the account, which is more urgent than all else."""
    if reached is None:
        return
    if reached.was_opened:
        text = gettext("Another person may have signed in, at %(time)s from %(ip)s.")
    else:
        text = gettext("Another person knew the password and stopped at the second factor, at %(time)s from %(ip)s.")
    yield text % {"time": utc_minute(reached.at), "ip": reached.ip}
    if reached.is_open:
        yield gettext("The password is still the same.")
    else:
        yield gettext("The owner has changed the password since.")


def _describe_state(account: Account) -> Iterator[str]:
    """Yield why no one can sign in, or why the password no longer works."""
    if account.deactivated_at is not None:
        yield gettext(
            "It is deactivated since %(time)s, so no one can sign in. The command "
            "`manage.py users reactivate %(id)s` reactivates it."
        ) % {"time": utc_minute(account.deactivated_at), "id": account.pk}
    elif is_deactivated(account):
        yield gettext("The site has deactivated it (`is_active` is false), so no one can sign in.")
    if account.retired_hash:
        yield gettext("An operator retired its password: the owner has to reset the password.")


def _describe_invitation(email: str, *, now: datetime) -> Iterator[str]:
    invitation = open_invitations(now=now).filter(email_key=email_key(email)).first()
    if invitation is not None:
        text = gettext("It has an invitation, which is open until %(time)s.")
        yield text % {"time": utc_minute(invitation.expires_at)}


def _describe_lock(account: Account, *, locked: bool, failures: int) -> str:
    if locked and account.locked_until:
        return ngettext(
            "It is locked until %(time)s after %(number)s failed attempt; the lock ends by itself. Until then the user can "
            "sign in with a magic link.",
            "It is locked until %(time)s after %(number)s failed attempts; the lock ends by itself. Until then the user can "
            "sign in with a magic link.",
            failures,
        ) % {"time": utc_minute(account.locked_until), "number": failures}
    if failures:
        return ngettext(
            "It is not locked, but has %(number)s consecutive failed attempt.",
            "It is not locked, but has %(number)s consecutive failed attempts.",
            failures,
        ) % {"number": failures}
    return gettext("It is not locked.")


def _describe_address(account: Account) -> str:
    if account.email_proven_at is None:
        return gettext("Its address is not confirmed.")
    return gettext("Its address was confirmed on %(day)s.") % {"day": _day(account.email_proven_at)}


def _day(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d}"
