"""A site with a page whose form needs a recent login."""

from collections.abc import Mapping

from django.http import HttpResponse
from django.template import engines
from django.urls import include, path

import pages.urls
from accounts.proofs.recent_login import needs_recent_login
from core.http.call import Call
from core.http.fields import Credential, Text
from core.http.view import operation
from pages.frame.forms import NextForm
from pages.frame.page import Page

_TEMPLATE = """<form method="post" action="/draft"><input type="hidden" name="csrf_token" value="{{ page.csrf_token }}">
<input name="nickname" value="{{ form.values.nickname }}"><input name="password" value="{{ form.values.password }}"></form>
"""


class DraftForm(NextForm):
    """A name and a secret."""

    nickname = Text(max_length=30_000)
    password = Credential(max_length=100)


class DraftPage(Page):
    """A page that keeps the name over a confirmation."""

    template = _TEMPLATE
    kept_fields = ("nickname",)

    def to_html(self, template: str, values: Mapping[str, object]) -> str:
        """Return the HTML of the template, which is a text."""
        made = engines["django"].from_string(template)
        return str(made.render(dict(values)))

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the form."""
        return self.render({})

    @needs_recent_login
    @operation(input=DraftForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Return the name."""
        return HttpResponse(call.body["nickname"])


urlpatterns = [*pages.urls.site_patterns, path("draft", DraftPage.as_view()), path("v1/", include("gatehouse.urls"))]
