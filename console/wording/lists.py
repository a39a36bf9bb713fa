"""Lists of words in the language of the reader."""

from collections.abc import Sequence
from functools import reduce

from django.utils.translation import gettext


def any_of(words: Sequence[str]) -> str:
    """Return the words as `one or another`, and "" for no words."""
    return _joined(gettext("%(first)s or %(second)s"), words)


def all_of(words: Sequence[str]) -> str:
    """Return the words as `one and another`, and "" for no words."""
    return _joined(gettext("%(first)s and %(second)s"), words)


def _joined(text: str, words: Sequence[str]) -> str:
    return reduce(lambda first, second: text % {"first": first, "second": second}, words) if words else ""
