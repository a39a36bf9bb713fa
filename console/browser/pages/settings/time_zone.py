"""The choice of the time zone of all pages."""

from collections.abc import Mapping

from django.http import HttpResponse
from django.utils import timezone

from core.http.call import Call
from core.http.view import operation
from pages.frame.forms import PageQuery
from pages.frame.zones import keep_zone, zone_names

from ... import navigation
from ...forms import ZoneForm
from ...page import ConsolePage


class ChooseZone(ConsolePage):
    """The form of the time zone."""

    template = "authsvc_console/time_zone.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the zones, and the page that follows."""
        return {
            "now": call.now,
            "zones": zone_names(),
            "chosen": timezone.get_current_timezone_name(),
            "next": navigation.own_page(self.form.values.get("next", "") or call.query.get("next", "")),
        }

    @operation(query=PageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show the form."""
        return self.render(self.context(call))

    @operation(input=ZoneForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Let the browser keep the zone, and return to the page."""
        response = self.redirect(navigation.own_page(call.body["next"]))
        keep_zone(response, call.body["zone"])
        return response
