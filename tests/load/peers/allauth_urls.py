"""The routes of django-allauth, and one route that needs an access token."""

from django.urls import include, path

from .parts import Verify

urlpatterns = [path("_allauth/", include("allauth.headless.urls")), path("verify", Verify.as_view())]
