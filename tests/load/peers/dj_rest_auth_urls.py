"""The routes of dj-rest-auth, and one route that needs an access token."""

from django.urls import include, path

from .parts import Verify

urlpatterns = [path("", include("dj_rest_auth.urls")), path("verify", Verify.as_view())]
