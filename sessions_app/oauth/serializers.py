"""Bodies of requests to the OAuth routes."""

from typing import ClassVar

from rest_framework import serializers

from core.http.fields import Credential, JsonObject, StrictBoolean, Text
from core.keys.opaque import RAW_MAX

from ..models import ISSUER_MAX
from .flows import StartedFlow

CODE_MAX = 4096
STATE_MAX = 43
URI_MAX = 2048


class StartOauthInput(serializers.Serializer[None]):
    """Request body that starts a login or a link."""

    example: ClassVar = {"redirect_uri": "https://app.example.com/signed-in"}

    redirect_uri = Credential(
        max_length=URI_MAX, help_text="The address of the application to which the provider returns the user."
    )
    link = StrictBoolean(
        required=False,
        default=False,
        help_text="True links the identity to the account of the access token, whose session logged in within five minutes.",
    )


class AppleReturnInput(serializers.Serializer[None]):
    """The form that apple posts. `error` comes instead of `code`, and `user` only at the first login."""

    state = Credential(max_length=STATE_MAX)
    code = Text(max_length=CODE_MAX, required=False)
    error = Text(max_length=CODE_MAX, required=False)
    user = Text(max_length=CODE_MAX, required=False)


class CompleteOauthInput(serializers.Serializer[None]):
    """Request body that completes a login or a link: the state token, and what the provider returned."""

    example: ClassVar = {
        "state_token": StartedFlow.example["state_token"],
        "code": "4/0AeanS0b…",
        "state": "Jk7Wn2vQx5bT9mRc4yHs1dLz8gFp3eAoUiKtVqNwXBE",
    }

    state_token = Credential(max_length=RAW_MAX)
    code = Text(max_length=CODE_MAX, allow_blank=False)
    state = Credential(max_length=STATE_MAX)
    iss = Text(
        max_length=ISSUER_MAX, required=False, allow_blank=False, help_text="The issuer, if the provider returned it."
    )
    user = JsonObject(
        required=False, help_text="The object that apple returns at the first login. Only the name counts."
    )
