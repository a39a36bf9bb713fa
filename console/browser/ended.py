"""The reasons for which a session of an operator has ended, as the sign-in states them."""

from datetime import datetime

from django.http import HttpRequest

from core.keys.opaque import find_digest

from ..conf import browser_settings
from ..models import ConsoleSession
from . import sessions

_TEXTS = {
    "unused": "Your session ended, because you did not use it for {idle}.",
    "old": "Your session ended, because a session lasts at most {absolute}.",
    "revoked": "Your session was ended, by a sign-out or by a change of your account.",
    "refused": "Your session ended, because your account, your second factor or your operator status changed.",
    "unknown": "Your session has ended.",
}
_MINUTE, _HOUR = 60, 3600


def find_end(*, request: HttpRequest, now: datetime) -> str:
    """Return why the session of the request's cookie is not live. Return "" when the browser had no session."""
    digest = find_digest(request.COOKIES.get(sessions.cookie_name(), ""))
    if digest is None:
        return ""
    row = ConsoleSession.objects.filter(digest=digest).select_related("family").first()
    if row is None:
        return "unknown"
    if row.family.revoked_at is not None:
        return "revoked"
    if row.family.absolute_expires_at <= now:
        return "old"
    return "unused" if row.family.idle_expires_at <= now else "refused"


def describe_end(reason: str) -> str:
    """Return the reason as a sentence. Return "" for a text that is no reason."""
    settings = browser_settings()
    return _TEXTS.get(reason, "").format(
        idle=_length(settings.idle_seconds), absolute=_length(settings.absolute_seconds)
    )


def _length(seconds: int) -> str:
    """Return the time in the largest unit that is exact."""
    for size, noun in ((_HOUR, "hour"), (_MINUTE, "minute"), (1, "second")):
        number, rest = divmod(seconds, size)
        if not rest:
            return f"{number} {noun}{'' if number == 1 else 's'}"
    raise AssertionError
