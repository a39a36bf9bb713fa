"""The methods of a login in the words of the claim `amr`."""

# The link of an invitation proves the mailbox, as a magic link does. A password that it sets was not checked.
_FIRST = {
    "password": "pwd",
    "magic_link": "email",
    "invitation": "email",
    "passkey": "passkey",
    "oauth": "oauth",
}
_SECOND = {"totp": "otp"}


def amr_of(*, method: str, second_factor: str | None) -> str:
    """Return the value of `Family.amr`: the words for the first factor and for the second one, separated by blanks.

    `pwd`, `otp` and `mfa` are words of RFC 8176. It has no words for the other methods, so these keep their own names.
    The method `passkey` proves both factors. Returns "" for the login of a Django session, because the host project
    checked that login.
    """
    first = _FIRST.get(method)
    if first is None:
        return ""
    if second_factor is not None:
        return f"{first} {_SECOND.get(second_factor, second_factor)} mfa"
    return f"{first} mfa" if method == "passkey" else first
