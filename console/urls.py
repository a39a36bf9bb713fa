"""Routes of the console, relative to /v1/, built once from what kind of database the deployment has."""

from django.urls import re_path

from .deployment import is_embedded
from .views import NotOnEmbedded, UnknownAdminRoute

urlpatterns = (
    [re_path(r"^admin(?s:/(?P<rest>.*))?\Z", NotOnEmbedded.as_view())]
    if is_embedded()
    else [re_path(r"^admin(?s:/(?P<rest>.*))?\Z", UnknownAdminRoute.as_view())]
)
