"""The rules for new passwords, and the form in which the service compares and hashes passwords."""

import unicodedata
from collections.abc import Collection

from ..conf import settings

MAX_LENGTH = 256
MIN_LOCAL_PART = 4

NEW_INPUT_MAX = 4 * MAX_LENGTH
"""The longest input for a new password, in characters.

A composed character stands for at most four characters. A longer input is therefore longer than MAX_LENGTH in any form.
"""
INPUT_MAX = 4 * NEW_INPUT_MAX
"""The longest input for an existing password, in characters.

A host project may have stored the hash of a password that is longer than a new password may be.
"""


def find_broken_rules(*, password: str, email: str) -> tuple[str, ...]:
    """Return the codes of the rules of the settings that the password breaks."""
    rules = settings()
    return broken_rules(
        password=password, email=email, min_length=rules.password_min_length, require=rules.password_require
    )


def broken_rules(*, password: str, email: str, min_length: int, require: Collection[str]) -> tuple[str, ...]:
    """Return the codes of the rules that the password breaks. `require` contains words of `PASSWORD_CLASSES`.

    Lengths are in characters. A symbol is a character in one of Unicode's categories of punctuation or symbols. White
    space is not a symbol.
    """
    text = normalize(password)
    found = {
        "require_uppercase": any(character.isupper() for character in text),
        "require_lowercase": any(character.islower() for character in text),
        "require_digit": any(character.isdecimal() for character in text),
        "require_symbol": any(unicodedata.category(character)[0] in "PS" for character in text),
    }
    broken = []
    if len(text) < min_length:
        broken.append("min_length")
    if len(text) > MAX_LENGTH:
        broken.append("max_length")
    broken += [code for code, is_met in found.items() if code.removeprefix("require_") in require and not is_met]
    if "not_email" in require and _contains_local_part(text, email):
        broken.append("contains_email")
    return tuple(broken)


def normalize(password: str) -> str:
    """Return the password in the form in which the service compares and hashes it: NFKC.

    A password of more than NEW_INPUT_MAX characters stays unchanged. It is too long for a new password, and NFKC takes
    quadratic time over combining marks.
    """
    return password if len(password) > NEW_INPUT_MAX else unicodedata.normalize("NFKC", password)


def _contains_local_part(text: str, email: str) -> bool:
    local_part = normalize(email.rpartition("@")[0]).casefold()
    return len(local_part) >= MIN_LOCAL_PART and local_part in text.casefold()
