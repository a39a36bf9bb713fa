"""The room of the person's own activity."""

from django.http import HttpResponse

from accounts.conf import retention_settings
from core.http.call import Call
from core.http.view import operation

from ..page import AccountPage, PositionQuery
from .events import list_activity


class Activity(AccountPage):
    """The events of the account, in plain words."""

    room = "authsvc-account-activity"
    template = "authsvc_pages/account/activity.html"

    @operation(query=PositionQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return a page of events, the newest first."""
        before = call.query["before"]
        activity = list_activity(user_id=call.user_id, before=before)
        days = retention_settings().audit_days
        return self.render({"activity": activity, "is_first": not before, "days": days})
