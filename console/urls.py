"""Routes of the console, relative to /v1/. On import, the kind of database selects them.

`site_patterns` are the pages of the console, relative to the root of the site.
"""

from django.urls import URLPattern, path, re_path

from core.db.deployment import is_embedded

from .applications.provider import is_provider_installed
from .browser.browsable import browsable
from .browser.navigation import FIRST_API_ROUTE
from .browser.urls import urlpatterns as site_patterns
from .views import histories, reports, reviews, settings, users
from .views.base import NotOnEmbedded, UnknownAdminRoute

__all__ = ["site_patterns", "urlpatterns"]

# The pattern matches line breaks too and has no inline flags. core.http.urls states the reason.
_ANYTHING = r"^admin(?:/(?P<rest>[\s\S]*))?\Z"

_OF_CLIENTS: list[URLPattern] = []
if is_provider_installed():
    from .views import clients

    _OF_CLIENTS = [
        path("admin/clients", clients.ListClients.as_view()),
        path("admin/clients/<str:client_id>", clients.GetClient.as_view()),
    ]

_CONSOLE = [
    path("admin/overview", reports.GetOverview.as_view(), name=FIRST_API_ROUTE),
    path("admin/users", users.ListUsers.as_view()),
    path("admin/user-search", users.SearchUsers.as_view()),
    path("admin/users/<str:user_id>", users.GetUser.as_view()),
    path("admin/users/<str:user_id>/sessions", users.ListUserSessions.as_view()),
    path("admin/users/<str:user_id>/factors", users.GetUserFactors.as_view()),
    path("admin/users/<str:user_id>/api-keys", users.ListUserApiKeys.as_view()),
    path("admin/users/<str:user_id>/identities", users.ListUserIdentities.as_view()),
    path("admin/users/<str:user_id>/metadata", users.GetMetadata.as_view()),
    re_path(r"^admin/users/(?P<user_id>[^/]+)/metadata/(?P<key>[\s\S]*)\Z", users.ChangeMetadata.as_view()),
    path("admin/events", histories.ListEvents.as_view()),
    path("admin/anomalies", reviews.ListAnomalies.as_view()),
    path("admin/anomalies/<str:event_id>", reviews.ReviewAnomaly.as_view()),
    path("admin/security/hash-migration", reports.GetHashMigration.as_view()),
    path("admin/security/mfa-adoption", reports.GetMfaAdoption.as_view()),
    path("admin/oauth/health", reports.CheckOauthProviders.as_view()),
    path("admin/support/diagnose", reports.DiagnoseLogin.as_view()),
    path("admin/webhooks/deliveries", histories.ListDeliveries.as_view()),
    path("admin/logging/recent", histories.ListShippedLogs.as_view()),
    path("admin/digest/history", histories.ListDigests.as_view()),
    path("admin/digest", reports.GetDigest.as_view()),
    path("admin/config-tuning", reports.GetConfigTuning.as_view()),
    path("admin/settings/llm-provider", settings.LlmProvider.as_view()),
    path("admin/settings/database-provider", settings.DatabaseProvider.as_view()),
    path("admin/settings/ask-ai-widget", settings.AskAiWidget.as_view()),
    path("admin/settings/llm-provider/test", settings.TestLlmProvider.as_view()),
    path("admin/settings/database-provider/test", settings.TestDatabaseProvider.as_view()),
    path("admin/settings/ask-ai-widget/test", settings.TestAskAiWidget.as_view()),
    *_OF_CLIENTS,
    re_path(_ANYTHING, UnknownAdminRoute.as_view()),
]

urlpatterns = [re_path(_ANYTHING, NotOnEmbedded.as_view())] if is_embedded() else browsable(_CONSOLE)
