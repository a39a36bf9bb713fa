"""What an e-mail address may look like, and the one form in which two of them are compared."""

import re
import unicodedata

EMAIL_MIN = 3
EMAIL_MAX = 254

_PART = r'[^\s@<>()\[\],;:\\"\x00-\x1f\x7f-\x9f]+'
FORM = f"{_PART}@{_PART}"
"""One `@` with something on both sides; no white space, control characters or characters that headers give a meaning.

A pattern for Python and for ECMA-262.
"""
_FORM = re.compile(FORM)


def normalize_email(text: str) -> str | None:
    """Return the address as it is stored, trimmed and NFC with its case kept, or None when it cannot be one."""
    # Before any normalization, which takes quadratic time over combining marks: seconds for a body of 64 KiB.
    if len(text) > EMAIL_MAX:
        return None
    address = unicodedata.normalize("NFC", text.strip())
    if not EMAIL_MIN <= len(address) <= EMAIL_MAX or not _FORM.fullmatch(address):
        return None
    if any(unicodedata.category(character) in ("Cc", "Cf", "Cs") for character in address):
        return None
    return address if len(_fold(address)) <= EMAIL_MAX else None


def email_key(text: str) -> str:
    """Return the form in which addresses are compared: NFKC and casefold, computed here since databases differ.

    Of a text that is too long for an address only the beginning counts.
    """
    return _fold(text[:EMAIL_MAX].strip())


def _fold(address: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", address).casefold())
