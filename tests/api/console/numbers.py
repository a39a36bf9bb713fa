"""What a number in a query string may not look like."""

from urllib.parse import quote

NO_INTEGERS = ("", " ", " 5", "5 ", "+5", "5.0", "5e0", "0x5", "٥", "five", "5,5", "5\n", "9" * 30)


def refused(minimum: int, maximum: int) -> list[str]:
    """Return values for a query string: those just out of bounds, and those that are no integers."""
    return [quote(value) for value in (str(minimum - 1), str(maximum + 1), *NO_INTEGERS)]
