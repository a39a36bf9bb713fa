"""The texts of error pages in a browser."""

_TITLES = {
    400: "This request is not valid",
    403: "This is not allowed",
    404: "There is no such page",
    405: "This page does not accept this request",
    429: "Too many requests",
    500: "Something went wrong",
    503: "The service is not available right now",
}
_TOO_MANY, _SERVER_ERROR = 429, 500


def title_of(*, status: int) -> str:
    """Return the title of the error page with this status."""
    return _TITLES.get(status) or _TITLES[_SERVER_ERROR if status >= _SERVER_ERROR else 400]


def text_of(*, status: int, message: str, retry_after: str | None) -> str:
    """Return the text of the error page: what happened, and what the reader can do next.

    `message` is the message of the API's error. `retry_after` is the header Retry-After in seconds, if the response has
    one.
    """
    if retry_after is not None:
        # The message of the API advises a program, which can read the header.
        cause = "" if status == _TOO_MANY else message.partition(". ")[0].removesuffix(".") + ". "
        return f"{cause}Wait {retry_after} {'second' if retry_after == '1' else 'seconds'}, then load the page again."
    if status == _SERVER_ERROR:
        return "The service failed unexpectedly. Try again later. If the error stays, report the number of the request."
    return message
