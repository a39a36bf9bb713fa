"""Forms of the sign-in and of the confirmation."""

from rest_framework import serializers

from accounts.passwords.rules import INPUT_MAX
from core.addresses import EMAIL_MAX
from core.http.fields import QUERY_MAX, Choice, Credential, Text
from core.keys.opaque import RAW_MAX
from mail.languages import LANGUAGES
from mfa.passkeys.serializers import PasskeyForm
from sessions_app.models import ISSUER_MAX
from sessions_app.oauth.serializers import CODE_MAX, STATE_MAX

from ..frame.forms import NextForm, PageQuery


class SignInQuery(PageQuery):
    """Query of the sign-in. `again`, `entered` and `left` are "1" when the statement is true."""

    return_to = Text(default="", max_length=QUERY_MAX, help_text="The address of the application, in place of `next`.")
    again = Text(default="", max_length=QUERY_MAX, help_text="A signed-in person signs in again.")
    entered = Text(default="", max_length=QUERY_MAX, help_text="The browser just got the cookie of a session.")
    left = Text(default="", max_length=QUERY_MAX, help_text="The person just signed out.")
    lost = Text(default="", max_length=QUERY_MAX, help_text="A form of an ended session was not saved.")
    email = Text(default="", max_length=QUERY_MAX, help_text="The address that an application expects.")


class SignInForm(NextForm):
    """The address and the password. Without a password, the page asks for it."""

    email = Credential(max_length=EMAIL_MAX, allow_blank=False)
    password = Credential(max_length=INPUT_MAX, required=False, default="")


class AddressForm(NextForm):
    """The address to which the link and the code are mailed."""

    email = Credential(max_length=EMAIL_MAX, allow_blank=False)


class CodeForm(AddressForm):
    """The code of the mail."""

    code = Credential(max_length=RAW_MAX, allow_blank=False)


class ProviderQuery(serializers.Serializer[None]):
    """The answer of a provider, which returns the browser to the page. `user` comes from apple alone."""

    code = Text(max_length=CODE_MAX, default="")
    state = Credential(max_length=STATE_MAX, default="")
    iss = Text(max_length=ISSUER_MAX, default="")
    error = Text(max_length=CODE_MAX, default="")
    user = Text(max_length=CODE_MAX, default="")


class NextPasskeyForm(NextForm, PasskeyForm):
    """The response of a passkey to a ceremony."""


class PendingForm(NextForm):
    """A login that waits for a second factor. `methods` names the factors for which the page has a form."""

    pending_token = Credential(max_length=RAW_MAX)
    methods = Credential(max_length=RAW_MAX, required=False, default="")


class PasswordForm(NextForm):
    """The password of the account."""

    password = Credential(max_length=INPUT_MAX)


class LanguageForm(serializers.Serializer[None]):
    """A language, and the path of the page that follows."""

    language = Choice(LANGUAGES)
    next = Credential(max_length=QUERY_MAX, required=False, default="")
