"""The stylesheet and the scripts of the pages. The service serves them itself, so a host needs no static files app."""

from functools import cache
from pathlib import Path

from django.http import HttpResponse
from django.urls import reverse

from core.errors import NotFound, RateLimited
from core.http.assets import Asset, AssetQuery, make_asset, read_asset, respond
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
        return read_asset(own)
    if name == IN_SITE:
        return _scoped(brand_rule())
    path = _FILES.get(name)
    if path is None:
        raise NotFound
    return read_stylesheet(path, brand_rule()) if path.suffix == ".css" else read_asset(path)


@cache
def _scoped(brand: str) -> Asset:
    """Return the stylesheet for pages within the template of a site. Its rules hold in the pages only."""
    rules = read_stylesheet(_FILES["pages.css"], brand).content.decode().replace(":root", ":scope")
    # The site has a background, a height and a header of its own.
    own = (
        ":scope { min-block-size: auto; background: none; color: var(--text); font: var(--normal)/1.5 var(--font); } "
        ":scope > .top .brand { display: none; }"
    )
    return make_asset(f"@scope (.single, .account) {{\n{rules}\n{own}\n}}\n".encode(), suffix=".css")


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
