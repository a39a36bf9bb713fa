"""Every route of the standalone project. The routes that clients call most come first."""

from django.urls import include, path, re_path

import accounts.urls
import apikeys.urls
import askai.urls
import console.urls
import core.http.urls
import mfa.urls
import oidc.urls
import pages.urls
import sessions_app.urls
from core.http.unknown_paths import UnknownPath

from .error_pages import with_error_pages
from .serving.probes import Livez, Readyz
from .welcome import Welcome

urlpatterns = [
    path(
        "v1/",
        include(
            [
                *sessions_app.urls.urlpatterns,
                *accounts.urls.urlpatterns,
                *mfa.urls.urlpatterns,
                *apikeys.urls.urlpatterns,
                *askai.urls.urlpatterns,
                *oidc.urls.urlpatterns,
                *console.urls.urlpatterns,
                *core.http.urls.urlpatterns,
            ]
        ),
    ),
    path("livez", Livez.as_view()),
    path("readyz", Readyz.as_view()),
    *with_error_pages(
        [
            *pages.urls.well_known_patterns,
            *mfa.urls.well_known_patterns,
            *oidc.urls.well_known_patterns,
            *core.http.urls.well_known_patterns,
        ]
    ),
    path("", Welcome.as_view()),
    *oidc.urls.site_patterns,
    *pages.urls.site_patterns,
    *console.urls.site_patterns,
    *with_error_pages([re_path(r"^[\s\S]*\Z", UnknownPath.as_view())]),
]

handler400 = handler403 = handler404 = handler500 = "config.error_pages.handle_error"
