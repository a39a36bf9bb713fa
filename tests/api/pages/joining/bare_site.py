"""A site that mounts the routes of the service, but none of its pages."""

from django.urls import include, path

urlpatterns = [path("v1/", include("sessions_app.urls")), path("v1/", include("accounts.urls"))]
