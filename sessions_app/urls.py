"""Routes of the sessions app, relative to /v1/. The most frequent routes come first."""

from django.urls import path

from . import views
from .oauth import views as oauth

urlpatterns = [
    path("verify", views.VerifyCredential.as_view()),
    path("refresh", views.RefreshTokens.as_view()),
    path("login", views.LogIn.as_view()),
    path("magic-link/request", views.RequestMagicLink.as_view()),
    path("magic-link/complete", views.CompleteMagicLink.as_view(), name="authsvc-magic-link-complete"),
    path("invitations/accept", views.AcceptInvitation.as_view(), name="authsvc-invitation-accept"),
    path("magic-link/code", views.CompleteMagicLinkCode.as_view()),
    path("oauth/providers", oauth.ListOauthProviders.as_view()),
    path("oauth/apple/return", oauth.AppleReturn.as_view(), name="authsvc-oauth-apple-return"),
    path("oauth/<str:provider>/start", oauth.StartOauth.as_view(), name="authsvc-oauth-start"),
    path("oauth/<str:provider>/complete", oauth.CompleteOauth.as_view(), name="authsvc-oauth-complete"),
    path("identities", oauth.ListIdentities.as_view()),
    path("identities/<str:identity_id>", oauth.UnlinkIdentity.as_view()),
    path("me", views.GetProfile.as_view()),
    path("session", views.GetSession.as_view()),
    path("sessions", views.ListSessions.as_view()),
    path("sessions/<str:session_id>", views.EndSession.as_view()),
    path("reauthenticate", views.ReauthenticateSession.as_view()),
    path("logout", views.LogOut.as_view()),
    path("logout-all", views.LogOutEverywhere.as_view()),
]
