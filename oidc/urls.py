"""Routes of the OpenID provider. The first list is relative to /v1/, and the others to the root of the site."""

from django.urls import path

from .applications import pages as applications
from .applications import room
from .applications import views as own_applications
from .authorize import pushing
from .authorize import views as authorize
from .devices import views as devices
from .discovery import views as discovery
from .logout import views as logout
from .tokens import views as tokens
from .userinfo import views as userinfo

urlpatterns = [
    path("applications", own_applications.ListApplications.as_view()),
    path("applications/<str:client_id>", own_applications.EndApplication.as_view()),
]

room_patterns = [
    path("account/applications", applications.ApplicationsPage.as_view(), name=room.NAME),
    path(
        "account/applications/<str:client_id>/end",
        applications.EndAccess.as_view(),
        name="authsvc-account-application-end",
    ),
]

site_patterns = [
    path("oauth2/token", tokens.IssueTokens.as_view(), name="authsvc-oidc-token"),
    path("oauth2/userinfo", userinfo.GetUserinfo.as_view(), name="authsvc-oidc-userinfo"),
    path("oauth2/authorize", authorize.Authorize.as_view(), name="authsvc-oidc-authorize"),
    path("oauth2/par", pushing.PushRequest.as_view(), name="authsvc-oidc-par"),
    path("oauth2/consent", authorize.Agree.as_view(), name="authsvc-oidc-consent"),
    path("oauth2/device", devices.PermitDevice.as_view(), name="authsvc-oidc-device"),
    path("oauth2/device_authorization", devices.StartDevice.as_view(), name="authsvc-oidc-device-authorization"),
    path("oauth2/introspect", tokens.IntrospectToken.as_view(), name="authsvc-oidc-introspect"),
    path("oauth2/logout", logout.EndSession.as_view(), name="authsvc-oidc-logout"),
    path("oauth2/logout/confirm", logout.ConfirmLogout.as_view(), name="authsvc-oidc-logout-confirm"),
    path("oauth2/revoke", tokens.RevokeToken.as_view(), name="authsvc-oidc-revoke"),
    *room_patterns,
]

# RFC 8615: these paths are relative to the root of the site.
well_known_patterns = [
    path(".well-known/openid-configuration", discovery.GetMetadata.as_view()),
    path(".well-known/oauth-authorization-server", discovery.GetMetadata.as_view()),
]
