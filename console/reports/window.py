"""The time span that a report covers."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import ngettext

HOURS_OF_A_DAY = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The time from `since` up to, but not including, `until`."""

    since: datetime
    until: datetime

    @classmethod
    def ending(cls, until: datetime, *, days: int) -> "Window":
        """Return the window of `days` days that ends at `until`."""
        return cls(since=until - timedelta(days=days), until=until)

    def before(self) -> "Window":
        """Return the window of the same length that ends where this one begins."""
        return Window(since=self.since - (self.until - self.since), until=self.since)

    def length(self) -> str:
        """Return the length of the window in words, such as `7 days` or `36 hours`."""
        hours = round((self.until - self.since).total_seconds() / 3600)
        if hours % HOURS_OF_A_DAY:
            return ngettext("%(number)s hour", "%(number)s hours", hours) % {"number": hours}
        days = hours // HOURS_OF_A_DAY
        return ngettext("%(number)s day", "%(number)s days", days) % {"number": days}
