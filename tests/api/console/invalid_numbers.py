"""Invalid numbers for a query string."""

from urllib.parse import quote

NO_INTEGERS = ("", " ", " 5", "5 ", "+5", "5.0", "5e0", "0x5", "٥", "five", "5,5", "5\n", "9" * 30)


def invalid_numbers(minimum: int, maximum: int) -> list[str]:
    """Return invalid values for a query string: the integers just out of bounds, and texts that are no integers."""
    return [quote(value) for value in (str(minimum - 1), str(maximum + 1), *NO_INTEGERS)]
