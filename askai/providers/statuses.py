"""The statuses with which a language model refuses a question, in words for operators."""

from collections.abc import Mapping

_FAILURE = 500
_WORDS: Mapping[int, str] = {
    400: "The request was refused. The model may not support forced tools",
    401: "The key was refused",
    402: "The account of the key has no credit",
    403: "The key has no right to use this model",
    404: "The server knows no such model, or has another path",
    413: "The request is too large for the server",
    429: "The limit or the credit of the key is used up",
}


def describe(status: int) -> str:
    """Return the reason for a status other than 200, with the status at its end."""
    words = _WORDS.get(status)
    if words is None:
        words = (
            "The server of the model failed" if status >= _FAILURE else "The server gave another answer than expected"
        )
    return f"{words} (status {status})"
