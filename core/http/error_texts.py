"""The texts of error pages in a browser."""

from django.utils.translation import gettext, gettext_noop, ngettext

_TITLES = {
    400: gettext_noop("This request is not valid"),
    403: gettext_noop("This is not allowed"),
    404: gettext_noop("There is no such page"),
    405: gettext_noop("This page does not accept this request"),
    429: gettext_noop("Too many requests"),
    500: gettext_noop("Something went wrong"),
    503: gettext_noop("The service is not available right now"),
}
_TOO_MANY, _SERVER_ERROR = 429, 500
_MINUTE, _HOUR = 60, 3_600


def title_of(*, status: int) -> str:
    """Return the title of the error page with this status."""
    return gettext(_TITLES.get(status) or _TITLES[_SERVER_ERROR if status >= _SERVER_ERROR else 400])


def text_of(*, status: int, message: str, retry_after: str | None) -> str:
    """Return the text of the error page: what happened, and what the reader can do next.

    `message` is the message of the API's error. `retry_after` is the header Retry-After in seconds, if the response has
    one.
    """
    if retry_after is not None:
        # The message of the API advises a program, which can read the header.
        cause = "" if status == _TOO_MANY else message.partition(". ")[0].removesuffix(".") + ". "
        return cause + _advice_to_wait(int(retry_after))
    if status == _SERVER_ERROR:
        return gettext(
            "The service failed unexpectedly. Try again later. If the error stays, report the number of the request."
        )
    return message


def _advice_to_wait(seconds: int) -> str:
    """Return the advice with the time in seconds, or in minutes or hours when it is long."""
    if seconds <= _MINUTE:
        advice = ngettext(
            "Wait %(number)s second, then load the page again.",
            "Wait %(number)s seconds, then load the page again.",
            seconds,
        )
        return advice % {"number": seconds}
    if seconds <= _HOUR:
        minutes = -(-seconds // _MINUTE)
        advice = ngettext(
            "Wait %(number)s minute, then load the page again.",
            "Wait %(number)s minutes, then load the page again.",
            minutes,
        )
        return advice % {"number": minutes}
    hours = -(-seconds // _HOUR)
    advice = ngettext(
        "Wait %(number)s hour, then load the page again.", "Wait %(number)s hours, then load the page again.", hours
    )
    return advice % {"number": hours}
