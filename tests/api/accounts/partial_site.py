"""A site that mounts one page of the service, but not the route that the page calls."""

from django.urls import path

from mail.pages import MagicLinkPage

urlpatterns = [path("mail/magic-link", MagicLinkPage.as_view(), name="authsvc-page-magic-link")]
