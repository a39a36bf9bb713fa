"""The pages of the diagnosis, of the stored password hashes and of the suggestions for settings."""

from django.http import HttpResponse
from rest_framework import serializers

from accounts.proofs.hash_kinds import find_progress
from core.http.call import Call
from core.http.fields import QUERY_MAX, Text
from core.http.view import operation

from ....reports import config_tuning
from ....reports.diagnosis import diagnose
from ....serializers import LongWindowQuery
from ...page import ConsolePage
from .spans import SPANS


class DiagnosePageQuery(serializers.Serializer[None]):
    """The address to diagnose. Blank shows the empty form."""

    email = Text(default="", max_length=QUERY_MAX)


class Diagnose(ConsolePage):
    """The diagnosis of an address."""

    section = "diagnose"
    template = "authsvc_console/diagnose.html"

    @operation(query=DiagnosePageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show why the user with this address may not be able to sign in."""
        email = call.query["email"].strip()
        diagnosis = diagnose(email=email, now=call.now) if email else None
        return self.render({"email": email, "diagnosis": diagnosis})


class PasswordHashes(ConsolePage):
    """The kinds of the stored password hashes."""

    section = "hashes"
    template = "authsvc_console/hashes.html"

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show how many users have a hash of each kind."""
        return self.render({"progress": find_progress()})


class Tuning(ConsolePage):
    """The suggestions for settings."""

    section = "tuning"
    template = "authsvc_console/tuning.html"

    @operation(query=LongWindowQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show the suggestions with their observations. The page changes nothing."""
        return self.render(
            {"report": config_tuning.report(window_days=call.query["window_days"], now=call.now), "spans": SPANS}
        )
