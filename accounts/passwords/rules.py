"""What a new password must look like, and the form in which passwords are compared and hashed."""

import unicodedata
from collections.abc import Collection

from ..conf import conf
from ..errors import PasswordPolicyViolation

MAX_LENGTH = 256
MIN_LOCAL_PART = 4

NEW_INPUT_MAX = 4 * MAX_LENGTH
"""Characters of a new password as it is sent. A composed character stands for at most four, so that a longer text is too
long for a password in any form."""
INPUT_MAX = 4 * NEW_INPUT_MAX
"""Characters of a password as it is sent: a site's stored hash may be of a longer one than a new one may be."""


def check_rules(*, password: str, email: str) -> None:
    """Raise PasswordPolicyViolation with the codes of all rules that the password breaks, by the configured policy."""
    settings = conf()
    broken = broken_rules(
        password=password, email=email, min_length=settings.password_min_length, require=settings.password_require
    )
    if broken:
        raise PasswordPolicyViolation(details=broken)


def broken_rules(*, password: str, email: str, min_length: int, require: Collection[str]) -> tuple[str, ...]:
    """Return the codes of the rules that the password breaks. `require` holds words of `PASSWORD_CLASSES`.

    Lengths are in characters. A symbol is what Unicode files under punctuation or symbols; white space is none.
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
    if "not_email" in require and _holds_local_part(text, email):
        broken.append("contains_email")
    return tuple(broken)


def normalize(password: str) -> str:
    """Return the password in the form in which it is compared and hashed: NFKC.

    Text of more than 1,024 characters is returned as it is; it can be no new password. (NFKC takes quadratic time over
    combining marks.)
    """
    return password if len(password) > NEW_INPUT_MAX else unicodedata.normalize("NFKC", password)


def _holds_local_part(text: str, email: str) -> bool:
    local_part = normalize(email.rpartition("@")[0]).casefold()
    return len(local_part) >= MIN_LOCAL_PART and local_part in text.casefold()
