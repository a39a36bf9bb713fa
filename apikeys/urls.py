"""Routes of the apikeys app, relative to /v1/."""

from django.urls import path

from . import views

urlpatterns = [
    path("revocations", views.ListRevocations.as_view()),
    path("api-keys", views.ApiKeys.as_view()),
    path("api-keys/<str:key_id>", views.RevokeApiKey.as_view()),
]
