"""Every route of the standalone project; those that are called most come first."""

from django.urls import include, path

import accounts.core.urls
import accounts.urls
import console.urls
import sessions_app.urls

urlpatterns = [
    path(
        "v1/",
        include(
            [
                *sessions_app.urls.urlpatterns,
                *accounts.urls.urlpatterns,
                *console.urls.urlpatterns,
                *accounts.core.urls.urlpatterns,
            ]
        ),
    ),
    *accounts.urls.site_patterns,
    *accounts.core.urls.site_patterns,
]
