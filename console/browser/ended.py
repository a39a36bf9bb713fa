"""The reasons for which a session of an operator has ended, as the sign-in states them."""

from datetime import datetime

from django.http import HttpRequest
from django.utils.translation import gettext, gettext_noop, ngettext

from core.keys.opaque import find_digest

from ..conf import browser_settings
from ..models import ConsoleSession
from . import sessions

_TEXTS = {
    "unused": gettext_noop("Your session ended, because you did not use it for %(idle)s."),
    "old": gettext_noop("Your session ended, because a session lasts at most %(absolute)s."),
    "revoked": gettext_noop("Your session was ended, by a sign-out or by a change of your account."),
    "refused": gettext_noop(
        "Your session ended, because your account, your second factor or your operator status changed."
    ),
    "unknown": gettext_noop("Your session has ended."),
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
    if reason not in _TEXTS:
        return ""
    lengths = {"idle": _length(settings.idle_seconds), "absolute": _length(settings.absolute_seconds)}
    return gettext(_TEXTS[reason]) % lengths


def _length(seconds: int) -> str:
    """Return the time in the largest unit that is exact."""
    if seconds % _HOUR == 0:
        return ngettext("%(number)s hour", "%(number)s hours", seconds // _HOUR) % {"number": seconds // _HOUR}
    if seconds % _MINUTE == 0:
        return ngettext("%(number)s minute", "%(number)s minutes", seconds // _MINUTE) % {"number": seconds // _MINUTE}
    return ngettext("%(number)s second", "%(number)s seconds", seconds) % {"number": seconds}
