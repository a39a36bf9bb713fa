"""Routes of the apikeys app, relative to /v1/."""

from django.urls import path

from sessions_app.views import ListRevocations

from . import views

urlpatterns = [
    # Only API keys open this route, so a site without this app has no such route.
    path("revocations", ListRevocations.as_view()),
    path("api-keys", views.ApiKeys.as_view()),
    path("api-keys/<str:key_id>", views.RevokeApiKey.as_view()),
]
