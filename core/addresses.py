"""The accepted form of e-mail addresses, and the form in which the service compares them."""

import re
import unicodedata

import idna

EMAIL_MIN = 3
EMAIL_MAX = 254

_PART = r'[^\s@<>()\[\],;:\\"\x00-\x1f\x7f-\x9f]+'
FORM = f"{_PART}@{_PART}"
"""The pattern of an address, for Python and for ECMA-262.

It demands one `@` with text on both sides. It excludes white space, control characters, and characters that have a
meaning in mail headers.
"""
_FORM = re.compile(FORM)
_DOTS = ".\u3002"
"""The characters that separate the labels of a host after NFKC (RFC 3490, section 3.1)."""


def normalize_email(text: str) -> str | None:
    """Return the address in its stored form: trimmed, in NFC, with its case kept. Return None when it is malformed."""
    # The length check comes first: normalization takes quadratic time over combining marks, seconds for 64 KiB.
    if len(text) > EMAIL_MAX:
        return None
    address = unicodedata.normalize("NFC", text.strip())
    if not EMAIL_MIN <= len(address) <= EMAIL_MAX or not _FORM.fullmatch(address):
        return None
    # The pattern excludes the control characters of ASCII, which has no other characters of these categories.
    if not address.isascii() and any(unicodedata.category(character) in ("Cc", "Cf", "Cs") for character in address):
        return None
    return address if len(email_key(address)) <= EMAIL_MAX else None


def email_key(text: str) -> str:
    """Return the form in which the service compares addresses: NFKC and lower case.

    `straße@` and `strasse@` have different keys, because they are two mailboxes. Python computes this form, because
    databases fold case differently. Only the first EMAIL_MAX characters count.
    """
    return _nfkc(_nfkc(text[:EMAIL_MAX].strip()).lower())


def former_email_key(text: str) -> str:
    """Return the `email_key` of earlier releases: NFKC and casefold. `straße@` and `strasse@` had the same key."""
    return _nfkc(_nfkc(text[:EMAIL_MAX].strip()).casefold())


def host_key(host: str) -> str:
    """Return the form in which the service compares the hosts of addresses: lower case, in the letters of the DNS."""
    key = _nfkc(_nfkc(host).lower()).replace("\u3002", ".").rstrip(".")
    try:
        return idna.encode(key).decode()
    except idna.IDNAError:
        return key


def is_same_mailbox(one: str, other: str) -> bool:
    """Return whether the addresses name one mailbox: they differ at most in the case of ASCII letters.

    `email_key` is coarser. Two addresses with the same key can have two owners, such as those of `ﬁsh.example` (with
    a ligature) and `fish.example`.
    """
    # Bytes know only the case of ASCII letters.
    return one.encode().lower() == other.encode().lower()


def mailbox_of(text: str) -> str:
    """Return the form of an address by which the limits of mails count.

    It is the `email_key` without the part of the local part that begins with `+`, and without dots at the end of the
    host. Mail servers deliver all these spellings to one mailbox, so a sender could otherwise evade a limit.
    """
    local, _, host = email_key(text).partition("@")
    return f"{local.partition('+')[0] or local}@{host.rstrip(_DOTS)}"


def _nfkc(text: str) -> str:
    return unicodedata.normalize("NFKC", text)
