"""The page that resets a forgotten password, and the well-known URL that leads to it."""

from collections.abc import Mapping

from django.http import HttpResponse, HttpResponseRedirect

from core.errors import NotFound, RateLimited
from core.http.call import Call
from core.http.limits import PAGE
from core.http.mounting import find_path
from core.http.view import Auth, ServiceView, operation
from mail.compose import is_mail_on
from mail.conf import settings as mail_settings
from mail.pages import MailPage

from ..conf import settings
from .rules import MAX_LENGTH


class PasswordResetPage(MailPage):
    """Where the link of a password reset leads. Without a token the page asks for the address and requests a link."""

    name = "password-reset"
    endpoint = "authsvc-password-reset"
    template = "authsvc_accounts/password_reset_page.html"

    def context(self) -> Mapping[str, object]:
        """Return the path of the route that requests a link, and the rules for passwords."""
        return {"forgot_endpoint": find_path("authsvc-password-forgot"), **_rules()}


class InvitationPage(MailPage):
    """The page that the link of an invitation opens. The invited person sets a password there."""

    name = "invitation"
    endpoint = "authsvc-invitation-accept"
    template = "authsvc_accounts/invitation_page.html"

    def context(self) -> Mapping[str, object]:
        """Return the rules for passwords."""
        return _rules()


def _rules() -> Mapping[str, object]:
    rules = settings()
    return {
        "min_length": rules.password_min_length,
        "max_length": MAX_LENGTH,
        "require": rules.password_require,
    }


class ChangePasswordUrl(ServiceView):
    """The URL at which password managers look for the page that changes a password.

    Source: W3C, A Well-Known URL for Changing Passwords.
    """

    auth = Auth.PUBLIC
    schema = None

    @operation(output=HttpResponse, status=302, errors=(NotFound, RateLimited), limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Redirect to the page that resets the password.

        Raises NotFound while mail is off, and where the site has not mounted the page.
        """
        page = mail_settings().password_reset_url or find_path("authsvc-page-password-reset")
        if page is None or not is_mail_on():
            raise NotFound
        return HttpResponseRedirect(page)
