"""Days and times in the language of the reader. The times of sentences have one form, which the pages turn into their own."""

from datetime import UTC, date, datetime

from django.utils import dateformat
from django.utils.translation import pgettext


def exact_time(moment: datetime) -> str:
    """Return the date and the time with seconds, such as `23 Nov 2026, 07:24:05`."""
    # Translators: characters of Django's filter `date`, as in all formats of this file.
    return str(dateformat.format(moment, pgettext("date and time with seconds", "j M Y, H:i:s")))


def day(moment: date) -> str:
    """Return the day without its year, such as `23 Nov`."""
    return str(dateformat.format(moment, pgettext("day without a year", "j M")))


def day_and_minute(moment: datetime) -> str:
    """Return the day and the time without the year, such as `23 Nov, 07:24`."""
    return str(dateformat.format(moment, pgettext("day and time without a year", "j M, H:i")))


def utc_minute(moment: datetime) -> str:
    """Return the time as sentences state it, such as `2026-11-23 07:24 UTC`."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
