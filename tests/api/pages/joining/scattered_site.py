"""A site that mounts the routes of the service and its pages under different prefixes."""

from django.urls import include, path

import pages.urls

urlpatterns = [
    path("auth/v1/", include("sessions_app.urls")),
    path("auth/v1/", include("accounts.urls")),
    path("pages/", include(pages.urls)),
]
