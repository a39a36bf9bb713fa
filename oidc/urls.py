"""Routes of the OpenID provider. The first list is relative to the root of the site, and so is the second one."""

from django.urls import path

from .authorize import pushing
from .authorize import views as authorize
from .discovery import views as discovery
from .tokens import views as tokens
from .userinfo import views as userinfo

site_patterns = [
    path("oauth2/token", tokens.IssueTokens.as_view(), name="authsvc-oidc-token"),
    path("oauth2/userinfo", userinfo.GetUserinfo.as_view(), name="authsvc-oidc-userinfo"),
    path("oauth2/authorize", authorize.Authorize.as_view(), name="authsvc-oidc-authorize"),
    path("oauth2/par", pushing.PushRequest.as_view(), name="authsvc-oidc-par"),
    path("oauth2/consent", authorize.Agree.as_view(), name="authsvc-oidc-consent"),
    path("oauth2/introspect", tokens.IntrospectToken.as_view(), name="authsvc-oidc-introspect"),
    path("oauth2/revoke", tokens.RevokeToken.as_view(), name="authsvc-oidc-revoke"),
]

# RFC 8615: these paths are relative to the root of the site.
well_known_patterns = [
    path(".well-known/openid-configuration", discovery.GetMetadata.as_view()),
    path(".well-known/oauth-authorization-server", discovery.GetMetadata.as_view()),
]
