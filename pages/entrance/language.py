"""The choice of the language of all pages. The foot of each page has the form."""

from django.http import HttpResponse

from core.http.call import Call
from core.http.limits import PAGE
from core.http.view import Auth, operation

from ..frame import navigation
from ..frame.languages import keep_language
from ..frame.page import Page
from .forms import LanguageForm


class ChooseLanguage(Page):
    """The form of the language. The sign-in has it too, so it needs no session."""

    auth = Auth.PUBLIC

    @operation(input=LanguageForm, output=HttpResponse, limits=PAGE)
    def post(self, call: Call) -> HttpResponse:
        """Let the browser keep the language, and return to the page."""
        response = self.redirect(navigation.own_page(call.body["next"]))
        keep_language(response, call.body["language"])
        return response
