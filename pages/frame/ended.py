"""The reasons for which the session of a browser has ended, as the sign-in states them."""

from datetime import datetime

from django.http import HttpRequest
from django.utils.translation import gettext, ngettext

from core.keys.opaque import find_digest

from ..models import BrowserSession
from . import sessions

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400


def describe_end(*, request: HttpRequest, now: datetime) -> str:
    """Return as a sentence why the session of the request's cookie is not live.

    Returns "" when the browser had no session. Runs at most one query.
    """
    digest = find_digest(request.COOKIES.get(sessions.cookie_name(), ""))
    if digest is None:
        return ""
    row = BrowserSession.objects.filter(digest=digest).select_related("family").first()
    if row is None:
        return gettext("Your session has ended.")
    family = row.family
    if family.revoked_at is not None:
        return gettext("Your session was ended, by a sign-out or by a change of your account.")
    if family.absolute_expires_at <= now:
        return gettext("Your session ended, because it reached its maximum age.")
    if family.idle_expires_at <= now:
        stated = gettext("Your session ended, because you did not use it for %(idle)s.")
        return stated % {"idle": _length(row.idle_seconds)}
    return gettext("Your session ended, because your account changed.")


def _length(seconds: int) -> str:
    """Return the time in the largest unit that is exact."""
    if seconds % _DAY == 0:
        return ngettext("%(number)s day", "%(number)s days", seconds // _DAY) % {"number": seconds // _DAY}
    if seconds % _HOUR == 0:
        return ngettext("%(number)s hour", "%(number)s hours", seconds // _HOUR) % {"number": seconds // _HOUR}
    if seconds % _MINUTE == 0:
        return ngettext("%(number)s minute", "%(number)s minutes", seconds // _MINUTE) % {"number": seconds // _MINUTE}
    return ngettext("%(number)s second", "%(number)s seconds", seconds) % {"number": seconds}
