"""Routes of the askai app, relative to /v1/."""

from django.urls import path

from . import views

urlpatterns = [
    path("ask-ai", views.AskAi.as_view()),
    path("ask-ai/widget", views.ShowWidget.as_view()),
]
