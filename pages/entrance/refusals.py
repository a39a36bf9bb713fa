"""The texts of refused sign-ins: what happened, and what the person can do next."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from accounts.errors import AccountLocked, PasswordResetRequired, UserExists
from core.errors import NotConfigured, RateLimited, ServiceError
from core.http.mounting import find_path
from mail.compose import is_mail_on
from mfa.conf import keys

MINUTE, HOUR = 60, 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A link to a page that helps."""

    label: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """The text for the person, and the pages that help."""

    text: str
    steps: Sequence[Step] = ()


def explain(error: ServiceError) -> Refusal:
    """Return the text for the error of a sign-in. The message of the API is the text where it suits a person."""
    match error:
        case RateLimited():
            return Refusal(text=text_of_wait(int(error.headers()["Retry-After"])))
        case AccountLocked():
            return Refusal(text=_text_of_lock())
        case PasswordResetRequired():
            return Refusal(text=gettext("This password no longer works. Set a new one."), steps=_steps_to_reset())
        case UserExists():
            return Refusal(
                text=gettext(
                    "An account with this e-mail address already exists. Sign in to it another way. Then connect the "
                    "provider in your account."
                )
            )
        case NotConfigured():
            return Refusal(text=gettext("This way to sign in is not available here. Choose another one."))
    return Refusal(text=gettext(str(error)))


def text_of_wait(seconds: int) -> str:
    """Return the text after too many tries, with the time to wait, in minutes or hours when it is long."""
    if seconds <= MINUTE:
        return ngettext(
            "Too many tries. Try again in %(number)s second.",
            "Too many tries. Try again in %(number)s seconds.",
            seconds,
        ) % {"number": seconds}
    if seconds <= HOUR:
        minutes = -(-seconds // MINUTE)
        return ngettext(
            "Too many tries. Try again in %(number)s minute.",
            "Too many tries. Try again in %(number)s minutes.",
            minutes,
        ) % {"number": minutes}
    hours = -(-seconds // HOUR)
    return ngettext(
        "Too many tries. Try again in %(number)s hour.", "Too many tries. Try again in %(number)s hours.", hours
    ) % {"number": hours}


def _text_of_lock() -> str:
    """Return the text of a lock. It names only ways that the deployment has."""
    if is_mail_on():
        return gettext("Too many wrong tries locked this account for a while. Wait, or get a code by e-mail.")
    if keys():
        return gettext("Too many wrong tries locked this account for a while. Wait, or use a passkey.")
    return gettext("Too many wrong tries locked this account for a while. Try again later.")


def _steps_to_reset() -> Sequence[Step]:
    path = find_path("authsvc-forgot")
    return [Step(label=gettext("Set a new password"), url=path)] if path else []
