"""The forms of the sign-up, of a new password and of mailed links."""

import re
from typing import Any

from rest_framework import serializers

from accounts.passwords.rules import INPUT_MAX, NEW_INPUT_MAX
from core.addresses import EMAIL_MAX
from core.http.fields import QUERY_MAX, Choice, Credential, Text
from core.keys.opaque import RAW_MAX
from mail.languages import LANGUAGES
from mfa.passkeys.serializers import PasskeyForm

from ..frame.forms import NextForm

_TOKEN = re.compile(r"(?:.*[#?&]token=)?([A-Za-z0-9_-]*)", re.DOTALL)


class LinkField(Credential):
    """A mailed link as a person copied it, or its token alone. The value is the token."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=QUERY_MAX, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        return token_of(super().to_internal_value(data))


def token_of(text: str) -> str:
    """Return the token of the link, or the text itself without a link around it."""
    found = _TOKEN.match(text.strip())
    return found[1] if found else ""


class LinkForm(serializers.Serializer[None]):
    """A mailed link."""

    token = LinkField()


class OpenLinkForm(LinkForm):
    """A mailed link to open. With a language, the question comes in this language."""

    language = Choice(LANGUAGES, required=False)


class NewPasswordLinkForm(LinkForm):
    """A mailed link, and the password that the account gets."""

    new_password = Credential(max_length=NEW_INPUT_MAX)


class ProofLinkForm(LinkForm):
    """A mailed link, and the password as a proof of the account. A session of the account can replace the password."""

    password = Credential(max_length=INPUT_MAX, required=False, default="")


class AddressForm(NextForm):
    """An address, to which the service mails a link."""

    email = Credential(max_length=EMAIL_MAX)


class SignUpForm(AddressForm):
    """The address and the password of a new account."""

    password = Credential(max_length=NEW_INPUT_MAX)


class PasswordLoginForm(AddressForm):
    """The address and the password of an account."""

    password = Credential(max_length=INPUT_MAX)


class PendingForm(NextForm):
    """A login that waits for a second factor."""

    pending_token = Credential(max_length=RAW_MAX)
    methods = Credential(max_length=RAW_MAX, required=False, default="")


class OfferedPasskeyForm(NextForm, PasskeyForm):
    """A new passkey. `silent` is set when the browser made it without a question to the person."""

    silent = Text(max_length=1, default="")


class BeginPasskeyForm(serializers.Serializer[None]):
    """The begin of a registration. `conditional` is set when the browser makes the passkey without a question."""

    conditional = Text(max_length=1, default="")
