"""Numbers in the language of the reader."""

from django.utils.formats import number_format
from django.utils.translation import gettext


def number(value: int) -> str:
    """Return the number with separators between groups of three digits, such as `1,000` in English."""
    return str(number_format(value, force_grouping=True))


def at_least(value: int) -> str:
    """Return the number that reached the limit of its count, such as `1,000 or more`."""
    return gettext("%(number)s or more") % {"number": number(value)}


def decimal(value: float, *, digits: int) -> str:
    """Return the number with this many digits after the decimal separator."""
    return str(number_format(value, decimal_pos=digits))
