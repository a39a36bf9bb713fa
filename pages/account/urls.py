"""The addresses of the account's pages, relative to `/account/` or to the path at which a host mounts the pages."""

from django.urls import path

from . import home

urlpatterns = [path("", home.Home.as_view(), name="authsvc-account")]
