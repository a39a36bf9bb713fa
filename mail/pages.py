"""The pages behind the links in mails, for a deployment whose application has no such pages.

Opening a page does not spend the token, because mail programs and virus scanners also open links. The token is in the
URL's fragment, which browsers do not send. The page sends the token to the API when the user clicks.
"""

from collections.abc import Mapping
from pathlib import Path

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils import translation

from core.conf import core_settings
from core.errors import NotFound, RateLimited
from core.http.assets import Asset, read_asset, respond
from core.http.call import Call
from core.http.docs import PAGE_POLICY
from core.http.limits import PAGE
from core.http.mounting import find_path
from core.http.tokens import read_stylesheet
from core.http.view import Auth, ServiceView, operation

from .branding import brand_rule, current_brand, with_logo
from .conf import settings
from .languages import choose_language
from .sign_in_buttons import button_sources, factor_sources

_STATIC = Path(__file__).resolve().parent / "static"


def _asset(name: str) -> Asset:
    path = _STATIC / name
    return read_stylesheet(path, brand_rule()) if path.suffix == ".css" else read_asset(path)


class MailPage(ServiceView):
    """A page in the language of the browser. The HTML contains no part of the link in the mail."""

    auth = Auth.PUBLIC
    schema = None
    name = ""
    endpoint = ""
    """Name of the route that takes the token. A host project can mount the route and this page at two prefixes."""
    template = "authsvc_accounts/mail_page.html"

    @operation(output=HttpResponse, errors=(NotFound, RateLimited), limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the page. Raises NotFound when the site does not have the route that takes the token."""
        if (endpoint := find_path(self.endpoint)) is None:
            raise NotFound
        language = choose_language(locale=None, accept_language=call.client.accept_language)
        with translation.override(language):
            context = {
                "page": self.name,
                "endpoint": endpoint,
                # A site can mount the pages below any prefix, so the addresses of the files are relative.
                "to_files": "../" if call.path else "",
                "language": language,
                "brand": current_brand(),
                "has_header": bool(settings().logo_url or settings().product_name),
                **self.context(),
            }
            html = render_to_string(self.template, context)
        return HttpResponse(html, headers={"Content-Security-Policy": with_logo(PAGE_POLICY)})

    def context(self) -> Mapping[str, object]:
        """Return the values that only this page's template needs."""
        return {}


class MagicLinkPage(MailPage):
    """The page that a magic link opens."""

    name = "magic-link"
    endpoint = "authsvc-magic-link-complete"

    def context(self) -> Mapping[str, object]:
        """Return the buttons for other ways to sign in, and the second factors that a login can wait for."""
        url = core_settings().base_url + (find_path("authsvc-page-magic-link") or "")
        return {
            "buttons": [button for source in button_sources for button in source.buttons(page_url=url)],
            "methods": {name: label for source in factor_sources for name, label in source.proof_labels().items()},
        }


class EmailChangePage(MailPage):
    """The page that the link in the mail about an e-mail change opens."""

    name = "email-change"
    endpoint = "authsvc-email-confirm-change"


class EmailUndoPage(MailPage):
    """The page that the link in the notice of a changed address opens."""

    name = "email-undo"
    endpoint = "authsvc-email-undo-change"

    def context(self) -> Mapping[str, object]:
        """Return the address of the page that sets a new password, or "" when the site has no such page."""
        return {"reset_url": settings().password_reset_url or find_path("authsvc-page-password-reset") or ""}


class VerifyEmailPage(MailPage):
    """The page that the link in the mail about a verification opens."""

    name = "verify-email"
    endpoint = "authsvc-email-verify-confirm"


class RecoveryCancelPage(MailPage):
    """The page that the link in the mails about a running recovery opens."""

    name = "recovery-cancel"
    endpoint = "authsvc-recovery-cancel"


class RecoveryCompletePage(MailPage):
    """The page that the link in the last mail about a recovery opens."""

    name = "recovery-complete"
    endpoint = "authsvc-recovery-complete"


class MailPageAsset(ServiceView):
    """The script or the stylesheet of the pages."""

    auth = Auth.PUBLIC
    schema = None

    @operation(output=HttpResponse, errors=(RateLimited,), limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the file."""
        return respond(asset=_asset(call.path["name"]))
