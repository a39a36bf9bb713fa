"""The addresses of the pages. A host site mounts all of them by `path("account/", include("gatehouse.pages.urls"))`.

`site_patterns` are the same pages relative to the root of a site: the entrance at the root, the account below
`/account/`.
"""

from django.urls import URLPattern, include, path

from .frame.assets import PageAsset

entrance_patterns: list[URLPattern] = []
account_patterns = [path("assets/<str:name>", PageAsset.as_view(), name="authsvc-page-asset")]
urlpatterns = [*entrance_patterns, *account_patterns]
site_patterns = [*entrance_patterns, path("account/", include(account_patterns))]
