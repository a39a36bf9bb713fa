"""Routes of the sessions app, relative to /v1/. The most frequent routes come first."""

from django.urls import path

from . import views

urlpatterns = [
    path("verify", views.Verify.as_view()),
    path("refresh", views.Refresh.as_view()),
    path("login", views.Login.as_view()),
    path("magic-link/request", views.RequestMagicLink.as_view()),
    path("magic-link/complete", views.CompleteMagicLink.as_view(), name="authsvc-magic-link-complete"),
    path("sessions", views.ListSessions.as_view()),
    path("sessions/<str:session_id>", views.EndSession.as_view()),
    path("reauthenticate", views.Reauthenticate.as_view()),
    path("logout", views.Logout.as_view()),
    path("logout-all", views.LogoutAll.as_view()),
]
