"""The verdict of a diagnosis: sentences that a supporter reads to the user on the phone. The functions are pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext, ngettext

from ..wording.lists import any_of
from ..wording.moments import utc_minute


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The facts that can keep the owner of an account from signing in.

    `stopped_at` is the time at which another person stopped at the second factor, and `opened_at` that of a login that was
    probably another person's; None when the password has changed since. `factors` are labels. `needs_confirmed_address`
    is true when only a confirmed address may sign in. `has_mails` is false in a deployment without mails.
    """

    is_deactivated: bool
    has_retired_password: bool
    stopped_at: datetime | None
    opened_at: datetime | None
    locked_until: datetime | None
    needs_confirmed_address: bool
    failed_attempts: int
    has_mails: bool
    factors: Sequence[str]


def verdict_of(findings: Findings) -> str:
    """Return the verdict in sentences to the user, the most urgent first."""
    return " ".join([*_warnings(findings), next(_reasons(findings))])


def verdict_without_account(*, is_invited: bool) -> str:
    """Return the verdict for an address without an account."""
    if is_invited:
        return gettext(
            "You have no account yet, but an open invitation. Please use the link in the mail with the invitation."
        )
    return gettext(
        "We have no account with this address. Please check the spelling, or tell me another address of yours."
    )


def _warnings(findings: Findings) -> Iterator[str]:
    if findings.opened_at is not None:
        yield gettext(
            "Another person may have signed in to your account, at %(time)s. Please choose a new "
            "password now, which signs out all devices."
        ) % {"time": utc_minute(findings.opened_at)}
    if findings.stopped_at is not None:
        yield gettext(
            "Another person knew your password and stopped at the second factor, at %(time)s. "
            "Your account was not opened. Please choose a new password now."
        ) % {"time": utc_minute(findings.stopped_at)}


def _reasons(findings: Findings) -> Iterator[str]:
    """Yield why the user cannot sign in, the most urgent first, and at last what the user needs to sign in."""
    if findings.is_deactivated:
        yield gettext("Your account is switched off. Only the people who run the service can switch it on again.")
    if findings.locked_until is not None:
        locked = gettext(
            "Your account is locked until %(time)s, because of wrong passwords or codes. The lock ends by itself."
        ) % {"time": utc_minute(findings.locked_until)}
        yield " ".join([locked, *([gettext("A sign-in link by mail works now.")] if findings.has_mails else [])])
    if findings.has_retired_password:
        yield gettext("Your old password no longer works. Please choose a new one with “Forgot password”.")
    if findings.needs_confirmed_address:
        yield gettext("Your address is not confirmed yet. Please open the link in the mail that we sent you.")
    if findings.failed_attempts:
        failed = ngettext(
            "Your account is not locked, but the sign-in failed once.",
            "Your account is not locked, but the sign-in failed %(number)s times in a row.",
            findings.failed_attempts,
        ) % {"number": findings.failed_attempts}
        advice = [gettext("If you forgot your password, choose a new one by mail.")] if findings.has_mails else []
        yield " ".join([failed, *advice])
    if findings.factors:
        yield gettext("Nothing blocks your account. After the password, your sign-in needs your %(factors)s.") % {
            "factors": any_of(findings.factors)
        }
    yield gettext("Nothing blocks your account. Your address and your password are enough to sign in.")
