"""The room of the language and the time zone."""

from collections.abc import Mapping
from typing import ClassVar

from django.http import HttpResponse
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from accounts.acts.own_language import choose_language
from core.http.call import Call
from core.http.fields import Choice
from core.http.view import operation
from mail.languages import LANGUAGES

from ...frame import languages, zones
from ..page import AccountPage

ROOM = "authsvc-account-language"


class Listed(Choice):
    """A value of a list. The message about another value does not repeat the list, which has hundreds of time zones."""

    default_error_messages: ClassVar = {"invalid_choice": gettext_lazy("Choose one of the list.")}


class LanguageForm(serializers.Serializer[None]):
    """The language of the pages and the mails, and the zone of the times."""

    language = Listed(LANGUAGES)
    zone = Listed(zones.zone_names())


class Language(AccountPage):
    """The language of the person, which the account stores, and the zone, which the browser keeps."""

    room = ROOM
    template = "authsvc_pages/account/language.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the choices."""
        stored = languages.language_of(self.live.locale) if self.live.locale else self.language
        return {
            "chosen": self.form.values.get("language", stored),
            "languages": [(code, languages.NAMES[code]) for code in LANGUAGES],
            "zones": zones.zone_names(),
        }

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        return self.render(self.context(call))

    @operation(input=LanguageForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Store the language, and let this browser keep both choices."""
        language = call.body["language"]
        choose_language(caller=call.signed_in, language=language, now=call.now)
        with translation.override(language):
            notice = gettext("Saved. Pages and mails now have this language.")
        response = self.redirect(reverse(ROOM), notice=notice)
        languages.keep_language(response, language)
        zones.keep_zone(response, call.body["zone"])
        return response
