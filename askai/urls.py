"""Routes of the askai app, relative to /v1/."""

from django.urls import path

from . import pages, views

urlpatterns = [
    path("ask-ai", views.AskAi.as_view()),
    path("ask-ai/widget", views.GetWidgetTexts.as_view()),
    path("ask-ai/ask-ai.js", pages.WidgetScript.as_view(), name="authsvc-ask-ai-script"),
    path("ask-ai/ask-ai-<slug:version>.js", pages.WidgetScriptVersion.as_view()),
    path("ask-ai/demo", pages.Demo.as_view()),
    path("ask-ai/demo.css", pages.DemoAsset.as_view(), {"name": "demo.css"}),
    path("ask-ai/demo.js", pages.DemoAsset.as_view(), {"name": "demo.js"}),
]
