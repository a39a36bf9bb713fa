"""The stylesheet and the scripts of the pages. The service serves them itself, so a host needs no static files app."""

from functools import cache
from pathlib import Path

from django.http import HttpResponse
from django.urls import reverse

from core.errors import NotFound, RateLimited
from core.http.asset_query import AssetQuery
from core.http.assets import Asset, make_asset, read_asset, respond
from core.http.call import Call
from core.http.compression import PublicDocument
from core.http.limits import PAGE
from core.http.tokens import read_stylesheet
from core.http.view import Auth, operation
from mail.branding import brand_rule

from ..conf import settings

_STATIC = Path(__file__).resolve().parents[1] / "static"
OF_SITE = "site.css"
"""The name of the stylesheet in PAGES_STYLESHEET."""
IN_SITE = "pages-in-site.css"
"""The name of the stylesheet for pages within PAGES_BASE_TEMPLATE."""
_FILES = {path.name: path for path in sorted(_STATIC.iterdir())}


def asset(name: str) -> Asset:
    """Return the file of that name. A stylesheet has the colours of the brand. Raises NotFound for an unknown name."""
    if name == OF_SITE and (own := settings().stylesheet):
        return _scoped(read_asset(own)) if settings().base_template else read_asset(own)
    if name == IN_SITE:
        return _in_site(brand_rule())
    path = _FILES.get(name)
    if path is None:
        raise NotFound
    return read_stylesheet(path, brand_rule()) if path.suffix == ".css" else read_asset(path)


@cache
def _in_site(brand: str) -> Asset:
    """Return the stylesheet for pages within the template of a site."""
    # The site has a background, a height and a header of its own.
    own = (
        b":scope { container-type: inline-size; color: var(--text); font: var(--normal)/1.5 var(--font); } "
        b":is(.single, .account) { min-block-size: auto; background: none; } .top .brand { display: none; } "
        b".account > .top > div { justify-content: end; }"
    )
    return _scoped(make_asset(read_stylesheet(_FILES["pages.css"], brand).content + own, suffix=".css"))


@cache
def _scoped(stylesheet: Asset) -> Asset:
    """Return the stylesheet with rules that hold in the pages only. A variable of `:root` is one of the pages then."""
    rules = stylesheet.content.replace(b":root", b":scope")
    return make_asset(b"@scope (.authsvc) {\n" + rules + b"\n}\n", suffix=".css")


def asset_url(name: str) -> str:
    """Return the path of the file with its version."""
    return f"{reverse('authsvc-page-asset', args=[name])}?v={asset(name).version}"


class PageAsset(PublicDocument):
    """A file of the pages. It contains no data, so it needs no session."""

    auth = Auth.PUBLIC
    schema = None

    @operation(query=AssetQuery, output=HttpResponse, errors=(NotFound, RateLimited), limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the file. Browsers may cache it forever when `v` is the version of its content."""
        return respond(asset=asset(call.path["name"]), version=call.query["v"])
