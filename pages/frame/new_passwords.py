"""The rules of a new password, in the language of the reader."""

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from accounts.conf import settings
from accounts.passwords.rules import MAX_LENGTH


def rules() -> Sequence[str]:
    """Return a sentence for each rule of this deployment. The greatest length is no rule that a person must know."""
    required = settings().password_require
    codes = ["min_length", *(f"require_{word}" for word in required if word != "not_email")]
    return [_sentence(code) for code in (*codes, *(["contains_email"] if "not_email" in required else []))]


def broken(details: Sequence[str]) -> str:
    """Return the sentences of the rules that a password breaks. A code of a host project's validator has none of its own."""
    return " ".join(dict.fromkeys(map(_sentence, details)))


def _sentence(code: str) -> str:
    least = settings().password_min_length
    texts = {
        "min_length": ngettext(
            "The password must have at least %(number)s character.",
            "The password must have at least %(number)s characters.",
            least,
        )
        % {"number": least},
        "max_length": gettext("The password must have at most %(number)s characters.") % {"number": MAX_LENGTH},
        "require_uppercase": gettext("The password must contain an upper-case letter."),
        "require_lowercase": gettext("The password must contain a lower-case letter."),
        "require_digit": gettext("The password must contain a digit."),
        "require_symbol": gettext("The password must contain a symbol such as ! or ?."),
        "contains_email": gettext("The password must not contain the first part of the e-mail address."),
    }
    return texts.get(code) or gettext("This password is too easy to guess. Choose another one.")
