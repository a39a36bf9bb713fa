"""The base class of the views that the script of passkeys calls."""

from django.http import HttpResponse
from django.utils.translation import gettext

from accounts.errors import ReauthenticationRequired
from core.errors import BadRequest, InvalidAccessToken
from core.http.responses import as_service_error, envelope

from .page import Answered, Page, Refused


class Ceremony(Page):
    """Begins a passkey ceremony for the page's script. The answers are JSON in the envelope of the API."""

    def answer_error(self, error: Exception) -> HttpResponse:
        """Return the error in the envelope, or the redirect to the page that must come first."""
        if isinstance(error, (Answered, InvalidAccessToken, ReauthenticationRequired)):
            return super().answer_error(error)
        failure = BadRequest(str(error)) if isinstance(error, Refused) else as_service_error(error)
        # The script shows the message.
        failure.args = (gettext(str(failure)),)
        return envelope(failure)
