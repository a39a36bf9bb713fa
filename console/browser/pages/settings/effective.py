"""The page of the settings in effect. It changes none of them."""

from itertools import groupby

from django.http import HttpResponse
from rest_framework import serializers

from core.http.call import Call
from core.http.fields import Choice, Text
from core.http.view import operation

from ....settings.effective import effective_settings
from ...page import ConsolePage


class SettingsQuery(serializers.Serializer[None]):
    """The filters of the page: a part of the name or of the meaning, and whether only set variables are listed."""

    q = Text(default="", max_length=200)
    only = Choice(["set"], default=None)


class EffectiveSettings(ConsolePage):
    """All settings of the service."""

    section = "settings-all"
    template = "authsvc_console/effective_settings.html"

    @operation(query=SettingsQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show the settings with their values in effect, and without secrets."""
        wanted = call.query["q"].strip().lower()
        found = [
            one
            for one in effective_settings()
            if wanted in f"{one.name} {one.meaning}".lower() and (one.is_set or not call.query["only"])
        ]
        areas = [(area, list(group)) for area, group in groupby(found, key=lambda one: one.area)]
        return self.render({"areas": areas, "count": len(found)})
