"""The script of the element `<ask-ai>`, which pages of other origins load, and a page that tries the element out."""

from pathlib import Path

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils import translation

from core.errors import NotConfigured, RateLimited
from core.http.assets import Asset, read_asset, respond
from core.http.call import Call
from core.http.docs import PAGE_POLICY
from core.http.limits import PAGE
from core.http.tokens import read_stylesheet
from core.http.view import Auth, ServiceView, operation
from mail.languages import choose_language

from .settings.widget import is_available

_STATIC = Path(__file__).resolve().parent / "static"

SCRIPT = "ask-ai.js"
REDIRECT_SECONDS = 300
"""Time in which a browser does not ask again for the script's current version."""


def _asset(name: str) -> Asset:
    path = _STATIC / name
    return read_stylesheet(path) if path.suffix == ".css" else read_asset(path)


class _Page(ServiceView):
    """A route without data. It exists where the deployment can answer questions, also before an operator enables them."""

    auth = Auth.PUBLIC
    schema = None

    def check_feature(self) -> None:
        """Raise NotConfigured when the deployment cannot have the feature. The check runs no query."""
        if not is_available():
            raise NotConfigured


class WidgetScript(_Page):
    """The script's URL that pages embed."""

    @operation(output=HttpResponse, status=302, errors=(NotConfigured, RateLimited), limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Redirect to the current version. The URL is relative, so a host project can use any prefix."""
        headers = {
            "Location": f"ask-ai-{_asset(SCRIPT).version}.js",
            "Cache-Control": f"public, max-age={REDIRECT_SECONDS}",
            "Cross-Origin-Resource-Policy": "cross-origin",
        }
        return HttpResponse(status=302, headers=headers)


class WidgetScriptVersion(_Page):
    """A version of the script."""

    @operation(output=HttpResponse, errors=(NotConfigured, RateLimited), limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the current script. Browsers may cache it forever when the path names its version.

        Another version gets the current script too: during an upgrade, two versions of the service redirect.
        """
        headers = {"Cross-Origin-Resource-Policy": "cross-origin"}
        return respond(asset=_asset(SCRIPT), version=call.path["version"], headers=headers)


class Demo(_Page):
    """A page on which a user signs in and asks. It contains no data."""

    @operation(output=HttpResponse, errors=(NotConfigured, RateLimited), limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the page in the language of the browser."""
        language = choose_language(locale=None, accept_language=call.client.accept_language)
        with translation.override(language):
            html = render_to_string("authsvc_askai/demo.html", {"language": language})
        headers = {"Content-Language": language, "Content-Security-Policy": PAGE_POLICY, "Vary": "Accept-Language"}
        return HttpResponse(html, headers=headers)


class DemoAsset(_Page):
    """The script or the stylesheet of the demo page."""

    @operation(output=HttpResponse, errors=(NotConfigured, RateLimited), limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the file."""
        return respond(asset=_asset(call.path["name"]))
