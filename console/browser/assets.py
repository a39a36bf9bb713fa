"""The route of the console's stylesheet and scripts. The service serves them itself, so a host needs no static files app."""

from django.http import HttpResponse

from core.errors import NotFound, RateLimited
from core.http.asset_query import AssetQuery
from core.http.assets import respond
from core.http.call import Call
from core.http.compression import PublicDocument
from core.http.limits import PAGE
from core.http.view import Auth, operation

from .asset_files import asset


class ConsoleAsset(PublicDocument):
    """A file of the console. It contains no data, so it needs no session."""

    auth = Auth.PUBLIC
    schema = None

    @operation(query=AssetQuery, output=HttpResponse, errors=(NotFound, RateLimited), limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the file. Browsers may cache it forever when `v` is the version of its content."""
        return respond(asset=asset(call.path["name"]), version=call.query["v"])
