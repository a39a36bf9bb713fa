"""The room of the API keys."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from accounts.proofs.limits import by_account, signed_in_account
from accounts.proofs.recent_login import needs_recent_login
from apikeys.conf import settings
from apikeys.errors import ApiKeyNotFound, ApiKeysNotConfigured
from apikeys.keys import LIVE_MAX, create, list_keys_of, revoke
from apikeys.models import DAYS_MAX, NAME_MAX
from apikeys.serializers import SCOPE_MAX, SCOPES_MAX, is_scope
from core.errors import BadRequest, NotFound
from core.http.call import Call
from core.http.fields import NonBlankText, Text
from core.http.view import operation
from core.ratelimit import Limit

from ..page import AccountPage

ROOM = "authsvc-account-api-keys"
LISTED_MAX = 200
"""The number of keys that the page lists. Expired keys count too."""
USUAL_DAYS = 90


class ScopesField(Text):
    """Scopes with blanks or line breaks between them. The value is the list."""

    default_error_messages: ClassVar = {
        "scopes": gettext_lazy("Type at most {scopes} scopes, each with at most {length} characters and no blanks.")
    }

    def __init__(self) -> None:
        super().__init__(max_length=SCOPES_MAX * (SCOPE_MAX + 2), default="")

    def to_internal_value(self, data: Any) -> Any:
        """Return the list of scopes."""
        scopes = super().to_internal_value(data).split()
        if len(scopes) > SCOPES_MAX or not all(map(is_scope, scopes)):
            self.fail("scopes", scopes=SCOPES_MAX, length=SCOPE_MAX)
        return scopes


class DaysField(Text):
    """A number of days; blank for a key that never expires. The value is a timedelta or None."""

    default_error_messages: ClassVar = {"days": gettext_lazy("Type a number from 1 to {most}, or leave it empty.")}

    def __init__(self) -> None:
        super().__init__(max_length=len(str(DAYS_MAX)) + 10, default="")

    def to_internal_value(self, data: Any) -> Any:
        """Return the lifetime."""
        text = super().to_internal_value(data).strip()
        if not text:
            return None
        if not (text.isascii() and text.isdigit() and 1 <= int(text) <= DAYS_MAX):
            self.fail("days", most=DAYS_MAX)
        return timedelta(days=int(text))

    def run_validators(self, value: Any) -> None:
        """Accept every value, because `to_internal_value` has checked the text."""


class NewKeyForm(serializers.Serializer[None]):
    """The name, the scopes and the lifetime of a new key."""

    name = NonBlankText(max_length=NAME_MAX)
    scopes = ScopesField()
    days = DaysField()


class KeysPage(AccountPage):
    """A page of API keys. It exists only while API_KEYS_ENABLED is on."""

    room = ROOM

    def check_feature(self) -> None:
        """Raise ApiKeysNotConfigured while API_KEYS_ENABLED is off."""
        if not settings().is_on:
            raise ApiKeysNotConfigured


class ApiKeys(KeysPage):
    """The list of the keys."""

    template = "authsvc_pages/account/api_keys.html"

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        keys = list_keys_of(account=signed_in_account(call), now=call.now, limit=LISTED_MAX)
        return self.render({"keys": keys, "most": LIVE_MAX})


class NewApiKey(KeysPage):
    """The creation of a key. Only the answer to the form shows the whole key."""

    template = "authsvc_pages/account/api_key_new.html"
    kept_fields = ("name", "scopes", "days")

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the days that the form suggests, and the longest lifetime."""
        return {"days": self.form.values.get("days", USUAL_DAYS), "most": DAYS_MAX}

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        self.require_recent(call)
        return self.render(self.context(call))

    @needs_recent_login
    @operation(input=NewKeyForm, output=HttpResponse, limits=(by_account(Limit.API_KEYS),))
    def post(self, call: Call) -> HttpResponse:
        """Create the key and show it."""
        try:
            made = create(
                caller=call.signed_in,
                name=call.body["name"],
                scopes=call.body["scopes"],
                lifetime=call.body["days"],
                client=call.client,
                now=call.now,
            )
        except BadRequest:
            text = gettext("You have %(most)s working keys, which is the most. Revoke one first.")
            return self.refuse_input(call, status=400, form=text % {"most": LIVE_MAX})
        context = {"key": made.key, "made": made.api_key, "text": gettext(made.notice)}
        return self.render(context, template="authsvc_pages/account/api_key_made.html")


class RevokeApiKey(KeysPage):
    """The revocation of a key."""

    @needs_recent_login
    @operation(output=HttpResponse, limits=(by_account(Limit.API_KEYS),))
    def post(self, call: Call) -> HttpResponse:
        """Revoke the key."""
        try:
            revoke(caller=call.signed_in, key_id=call.path["key_id"], client=call.client, now=call.now)
        except ApiKeyNotFound:
            raise NotFound from None
        return self.redirect(reverse(ROOM), notice=gettext("The key is revoked. It no longer works."))
