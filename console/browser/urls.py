"""The addresses of the console in a browser, relative to the root of the site. A host may mount them at a prefix."""

from django.http import HttpResponse
from django.urls import URLPattern, path, re_path

from core.db.deployment import is_embedded
from core.http.call import Call
from core.http.limits import PAGE
from core.http.view import Auth, ServiceView, operation

from ..applications.provider import is_provider_installed
from . import navigation, stop_act
from .assets import ConsoleAsset
from .embedded import NoConsole
from .page import UnknownPage
from .pages.acts import accounts, blocks, resends
from .pages.histories import deliveries, events, exports, find, logs
from .pages.people import operators, users
from .pages.reports import advice, attacks, digests, login_methods, overview
from .pages.reviews import queue, several
from .pages.settings import ask_ai, effective, time_zone


class ToFirstPage(ServiceView):
    """The address of the console without its slash, and the sign-in of earlier releases, which bookmarks contain."""

    auth = Auth.PUBLIC
    schema = None

    @operation(output=HttpResponse, status=302, limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Redirect to the first page."""
        return HttpResponse(status=302, headers={"Location": navigation.prefix()})


_OF_APPLICATIONS: list[URLPattern] = []
if is_provider_installed():
    from .pages.people import applications

    _OF_APPLICATIONS = [
        path("console/applications", applications.Applications.as_view(), name="authsvc-console-applications"),
        path(
            "console/applications/<str:client_id>",
            applications.ShowApplication.as_view(),
            name="authsvc-console-application",
        ),
    ]

_PAGES = [
    path("console", ToFirstPage.as_view()),
    path("console/sign-in", ToFirstPage.as_view()),
    path("console/", overview.OverviewPage.as_view(), name="authsvc-console-overview"),
    path("console/charts/<str:name>", overview.ChartTable.as_view(), name="authsvc-console-chart"),
    path("console/providers", overview.ProviderHealth.as_view(), name="authsvc-console-providers"),
    path("console/login-methods", login_methods.ShowLoginMethods.as_view(), name="authsvc-console-login-methods"),
    path("console/find", find.Find.as_view(), name="authsvc-console-find"),
    path("console/events", events.Events.as_view(), name="authsvc-console-events"),
    path("console/events/<str:event_id>", events.ShowEvent.as_view(), name="authsvc-console-event"),
    path("console/reviews", queue.Reviews.as_view(), name="authsvc-console-reviews"),
    path("console/reviews/several", several.SeveralReviews.as_view(), name="authsvc-console-several-reviews"),
    path("console/reviews/all", queue.ReviewAll.as_view(), name="authsvc-console-review-all"),
    path("console/reviews/<str:event_id>", queue.ShowReview.as_view(), name="authsvc-console-review"),
    path("console/reviews/<str:event_id>/undo", queue.UndoReview.as_view(), name="authsvc-console-undo-review"),
    path("console/attacks/<path:network>", attacks.ShowAttack.as_view(), name="authsvc-console-attack"),
    path("console/export/attack", attacks.ExportAttack.as_view(), name="authsvc-console-export-attack"),
    path("console/export/events", exports.ExportEvents.as_view(), name="authsvc-console-export-events"),
    path("console/export/users", exports.ExportUsers.as_view(), name="authsvc-console-export-users"),
    path("console/export/reviews", exports.ExportReviews.as_view(), name="authsvc-console-export-reviews"),
    path("console/export/deliveries", exports.ExportDeliveries.as_view(), name="authsvc-console-export-deliveries"),
    path("console/export/logs", exports.ExportLogs.as_view(), name="authsvc-console-export-logs"),
    path("console/users", users.Users.as_view(), name="authsvc-console-users"),
    path("console/users/<str:user_id>", users.ShowUser.as_view(), name="authsvc-console-user"),
    path("console/users/<str:user_id>/metadata", users.ChangeMetadata.as_view(), name="authsvc-console-metadata"),
    path(
        "console/users/<str:user_id>/metadata/remove",
        users.RemoveMetadata.as_view(),
        name="authsvc-console-metadata-remove",
    ),
    path("console/users/<str:user_id>/data", exports.ExportPerson.as_view(), name="authsvc-console-export-person"),
    path("console/users/<str:user_id>/acts", accounts.ActOnAccount.as_view(), name="authsvc-console-acts"),
    path(
        "console/users/<str:user_id>/acts/<str:planned_id>/cancel",
        accounts.CancelAct.as_view(),
        name="authsvc-console-cancel-act",
    ),
    # Owners of accounts open it. A proxy may keep them away from the console itself.
    path("mail/stop-act", stop_act.StopLink.as_view(), name="authsvc-page-stop-act"),
    path("mail/stop-act/confirm", stop_act.StopAct.as_view(), name="authsvc-stop-act"),
    path("console/blocks", blocks.Blocks.as_view(), name="authsvc-console-blocks"),
    path("console/blocks/end", blocks.Unblock.as_view(), name="authsvc-console-unblock"),
    path("console/resend", resends.ResendFailed.as_view(), name="authsvc-console-resend-failed"),
    path("console/deliveries/<str:delivery_id>/resend", resends.Resend.as_view(), name="authsvc-console-resend"),
    path("console/deliveries", deliveries.Deliveries.as_view(), name="authsvc-console-deliveries"),
    path("console/deliveries/<str:delivery_id>", deliveries.ShowDelivery.as_view(), name="authsvc-console-delivery"),
    path("console/logs", logs.Logs.as_view(), name="authsvc-console-logs"),
    path("console/digests", digests.Digests.as_view(), name="authsvc-console-digests"),
    path("console/diagnose", advice.Diagnose.as_view(), name="authsvc-console-diagnose"),
    path("console/hashes", advice.PasswordHashes.as_view(), name="authsvc-console-hashes"),
    path("console/tuning", advice.Tuning.as_view(), name="authsvc-console-tuning"),
    path("console/settings", effective.EffectiveSettings.as_view(), name="authsvc-console-settings-all"),
    path("console/settings/llm", ask_ai.Llm.as_view(), name="authsvc-console-settings-llm"),
    path("console/settings/database", ask_ai.Database.as_view(), name="authsvc-console-settings-database"),
    path("console/settings/widget", ask_ai.AskAi.as_view(), name="authsvc-console-settings-widget"),
    path("console/settings/llm/remove", ask_ai.RemoveLlm.as_view(), name="authsvc-console-remove-llm"),
    path("console/settings/database/remove", ask_ai.RemoveDatabase.as_view(), name="authsvc-console-remove-database"),
    path("console/settings/widget/remove", ask_ai.RemoveAskAi.as_view(), name="authsvc-console-remove-widget"),
    *_OF_APPLICATIONS,
    path("console/operators", operators.Operators.as_view(), name="authsvc-console-operators"),
    path("console/time-zone", time_zone.ChooseZone.as_view(), name="authsvc-console-zone"),
    path("console/assets/<str:name>", ConsoleAsset.as_view(), name="authsvc-console-asset"),
    re_path(r"^console/(?P<rest>[\s\S]*)\Z", UnknownPage.as_view()),
]

urlpatterns = [re_path(r"^console(?:/[\s\S]*)?\Z", NoConsole.as_view())] if is_embedded() else _PAGES
