"""The addresses of the pages. A host site mounts all of them by `path("account/", include("gatehouse.pages.urls"))`.

`site_patterns` are the same pages relative to the root of a site: the entrance at the root, the account below
`/account/`.
"""

from django.http import HttpResponse
from django.urls import include, path

from core.http.call import Call
from core.http.limits import PAGE
from core.http.view import Auth, ServiceView, operation

from .account.urls import urlpatterns as _account
from .entrance.urls import urlpatterns as _entrance
from .frame import navigation
from .frame.assets import PageAsset
from .joining import urls as joining
from .site.urls import urlpatterns as _site


class AddSlash(ServiceView):
    """The address of the account without its slash."""

    auth = Auth.PUBLIC
    schema = None

    @operation(output=HttpResponse, status=302, limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Redirect to the first page of the account."""
        return HttpResponse(status=302, headers={"Location": navigation.home()})


mail_patterns = joining.mail_patterns
well_known_patterns = joining.well_known_patterns
entrance_patterns = [*_entrance, *_site, *joining.urlpatterns, *mail_patterns]
account_patterns = [*_account, path("assets/<str:name>", PageAsset.as_view(), name="authsvc-page-asset")]
urlpatterns = [*entrance_patterns, *account_patterns]
site_patterns = [*entrance_patterns, path("account", AddSlash.as_view()), path("account/", include(account_patterns))]
