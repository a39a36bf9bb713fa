"""The address of the way back into a site, relative to the addresses of the entrance."""

from django.urls import path

from .continuing import ContinueToSite

urlpatterns = [path("sign-in/continue", ContinueToSite.as_view(), name="authsvc-sign-in-continue")]
