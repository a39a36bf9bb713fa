"""The answer of an embedded deployment, which has no console."""

import secrets

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation

from core.http.view import Auth, Operation, ServiceView
from mail.languages import ENGLISH
from pages.frame import languages

from ..errors import NotImplementedOnEmbeddedDb


class NoConsole(ServiceView):
    """Explains to every caller why there is no console and how to get one."""

    auth = Auth.PUBLIC
    any_host = True
    unlimited = "The answer is always the same and needs no database."
    schema = None
    is_catch_all = True

    def operation_of(self, request: HttpRequest) -> Operation:
        """Raise NotImplementedOnEmbeddedDb for every method."""
        raise NotImplementedOnEmbeddedDb

    def answer_error(self, error: Exception) -> HttpResponse:
        """Return the page. It contains its style, because an embedded deployment has no addresses of the console."""
        nonce = secrets.token_urlsafe(16)
        language = languages.find_language(self.request) or ENGLISH
        with translation.override(language):
            html = render_to_string("authsvc_console/embedded.html", {"nonce": nonce, "language": language})
        policy = (
            f"default-src 'none'; style-src 'nonce-{nonce}'; img-src data:; base-uri 'none'; frame-ancestors 'none'"
        )
        headers = {"Content-Security-Policy": policy, "Content-Language": language, "Vary": "Accept-Language, Cookie"}
        return HttpResponse(html, status=501, headers=headers)
