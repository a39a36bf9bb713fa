"""A site with the API, the console, and a page of the console whose form changes settings."""

from collections.abc import Mapping

from django.http import HttpResponse
from django.urls import include, path
from rest_framework import serializers

import accounts.urls
import console.urls
import core.http.urls
import mfa.urls
import pages.urls
import sessions_app.urls
from console.browser.page import ConsolePage
from core.http.call import Call
from core.http.fields import NonBlankText
from core.http.view import operation


class Fault(ConsolePage):
    """A page that fails."""

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Fail."""
        raise RuntimeError("the password is hunter2")


class NameForm(serializers.Serializer[None]):
    """The form of the page."""

    name = NonBlankText(max_length=10)


class Settings(ConsolePage):
    """A page whose form changes settings. It shows the name and the form's message as the title and the text."""

    template = "authsvc_console/error.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the values of the page."""
        return {"title": self.form.values.get("name", "Settings"), "message": self.form.errors.get("name", "")}

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show the form."""
        return self.render(self.context(call))

    @operation(input=NameForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Store the name."""
        self.require_recent_factor(call)
        return self.redirect("/console/settings", notice=f"You stored {call.body['name']}.")


urlpatterns = [
    path("console/settings", Settings.as_view()),
    path("console/fault", Fault.as_view()),
    path(
        "v1/",
        include(
            [
                *sessions_app.urls.urlpatterns,
                *accounts.urls.urlpatterns,
                *mfa.urls.urlpatterns,
                *core.http.urls.urlpatterns,
            ]
        ),
    ),
    *pages.urls.site_patterns,
    *console.urls.site_patterns,
]
