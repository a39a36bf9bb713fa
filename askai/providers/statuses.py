"""The statuses with which a language model refuses a question, in words for operators."""

from collections.abc import Mapping

from django.utils.translation import gettext, gettext_noop

_FAILURE = 500
_WORDS: Mapping[int, str] = {
    400: gettext_noop("The request was refused. The model may not support forced tools"),
    401: gettext_noop("The key was refused"),
    402: gettext_noop("The account of the key has no credit"),
    403: gettext_noop("The key has no right to use this model"),
    404: gettext_noop("The server knows no such model, or has another path"),
    413: gettext_noop("The request is too large for the server"),
    429: gettext_noop("The limit or the credit of the key is used up"),
}


def describe(status: int) -> str:
    """Return the reason for a status other than 200, with the status at its end."""
    words = _WORDS.get(status)
    if words is None and status >= _FAILURE:
        words = gettext_noop("The server of the model failed")
    words = words or gettext_noop("The server gave another answer than expected")
    return gettext("%(reason)s (status %(status)s)") % {"reason": gettext(words), "status": status}
