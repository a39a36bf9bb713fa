"""Bodies and queries of requests to the session routes."""

from typing import ClassVar

from rest_framework import serializers

from accounts.passwords.rules import INPUT_MAX, NEW_INPUT_MAX
from accounts.serializers import POLICY_HELP, MailTokenInput, new_password
from core.addresses import EMAIL_MAX
from core.db.ids import TEXT_LENGTH
from core.http.examples import EMAIL, MAILED_TOKEN, PASSWORD, REFRESH_TOKEN, SESSION_ID
from core.http.fields import Credential, JsonObject, QueryMoment
from core.keys.opaque import RAW_MAX


class LoginInput(serializers.Serializer[None]):
    """Request body of a login with a password."""

    example: ClassVar = {"email": EMAIL, "password": PASSWORD}

    email = Credential(
        max_length=EMAIL_MAX, help_text="The address. In a site with `LOGIN_NAME=username` it is the user name."
    )
    password = Credential(max_length=INPUT_MAX)


class RefreshInput(serializers.Serializer[None]):
    """Request body of a refresh."""

    example: ClassVar = {"refresh_token": REFRESH_TOKEN}

    refresh_token = Credential(max_length=RAW_MAX)


class LogoutInput(serializers.Serializer[None]):
    """Request body of a logout."""

    example: ClassVar = {"session_id": SESSION_ID}

    session_id = Credential(
        max_length=TEXT_LENGTH,
        help_text="The `id` of a session from `GET /v1/sessions`. An older `id` of the same session also works.",
    )


class ReauthenticateInput(serializers.Serializer[None]):
    """Request body of a reauthentication: a password, a code, or the response of a passkey."""

    example: ClassVar = {"password": PASSWORD}

    password = Credential(max_length=INPUT_MAX, required=False)
    code = Credential(max_length=RAW_MAX, required=False, help_text="Six digits from the authenticator app.")
    ceremony_token = Credential(
        max_length=RAW_MAX, required=False, help_text="From `POST /v1/reauthenticate/passkey/begin`."
    )
    credential = JsonObject(
        required=False,
        help_text="The result of `toJSON()` on the credential that `navigator.credentials.get()` returned.",
    )


class MagicLinkInput(serializers.Serializer[None]):
    """Request body of a request for a magic link."""

    example: ClassVar = {"email": EMAIL}

    email = Credential(max_length=EMAIL_MAX)


class LoginCodeInput(serializers.Serializer[None]):
    """Request body of a login with the code of a magic link."""

    example: ClassVar = {"email": EMAIL, "code": "042917"}

    email = Credential(max_length=EMAIL_MAX)
    code = Credential(max_length=RAW_MAX, help_text="The six digits in the newest mail with a magic link.")


class AcceptInvitationInput(MailTokenInput):
    """Request body of the acceptance of an invitation: the token from the mail, and the password of the new account."""

    example: ClassVar = {"token": MAILED_TOKEN, "password": PASSWORD}

    password = Credential(
        max_length=NEW_INPUT_MAX,
        required=False,
        default=None,
        keywords=new_password,
        help_text=f"Leave it out for an account without a password, and register a passkey next. {POLICY_HELP}",
    )


class RevocationsQuery(serializers.Serializer[None]):
    """The start of the listed revocations."""

    since = QueryMoment(
        default=None, help_text="The `next_since` of the answer before. Without it, the list begins with the oldest."
    )
