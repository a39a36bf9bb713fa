"""The verdict of a diagnosis: sentences that a supporter reads to the user on the phone. The functions are pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime


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
        return "You have no account yet, but an open invitation. Please use the link in the mail with the invitation."
    return "We have no account with this address. Please check the spelling, or tell me another address of yours."


def _warnings(findings: Findings) -> Iterator[str]:
    if findings.opened_at is not None:
        yield (
            f"Another person may have signed in to your account, at {_moment(findings.opened_at)}. Please choose a new "
            "password now, which signs out all devices."
        )
    if findings.stopped_at is not None:
        yield (
            f"Another person knew your password and stopped at the second factor, at {_moment(findings.stopped_at)}. "
            "Your account was not opened. Please choose a new password now."
        )


def _reasons(findings: Findings) -> Iterator[str]:
    """Yield why the user cannot sign in, the most urgent first, and at last what the user needs to sign in."""
    if findings.is_deactivated:
        yield "Your account is switched off. Only the people who run the service can switch it on again."
    if findings.locked_until is not None:
        yield (
            f"Your account is locked until {_moment(findings.locked_until)}, because of wrong passwords or codes. The "
            f"lock ends by itself.{' A sign-in link by mail works now.' if findings.has_mails else ''}"
        )
    if findings.has_retired_password:
        yield "Your old password no longer works. Please choose a new one with “Forgot password”."
    if findings.needs_confirmed_address:
        yield "Your address is not confirmed yet. Please open the link in the mail that we sent you."
    if findings.failed_attempts:
        times = "once" if findings.failed_attempts == 1 else f"{findings.failed_attempts} times in a row"
        advice = " If you forgot your password, choose a new one by mail." if findings.has_mails else ""
        yield f"Your account is not locked, but the sign-in failed {times}.{advice}"
    if findings.factors:
        yield (
            f"Nothing blocks your account. After the password, your sign-in needs your {' or '.join(findings.factors)}."
        )
    yield "Nothing blocks your account. Your address and your password are enough to sign in."


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
