"""The pages of the audit trail: the list of events, and one event."""

from typing import Any, ClassVar

from django.http import HttpResponse
from django.utils.translation import gettext, gettext_lazy

from accounts.state.lookup import find_account_for_operator
from core.addresses import EMAIL_MAX
from core.errors import NotFound
from core.http.call import Call
from core.http.fields import Text
from core.http.view import operation
from events.conf import webhook_settings
from events.vocabulary import EventType
from sessions_app.logins.login import LoginMethod
from sessions_app.oauth.known import KNOWN
from sessions_app.oauth.providers import configured_providers

from ....people.users import find_emails
from ....serializers import EventsQuery
from ....trail.event import get_event
from ....trail.search import EventFilters, search_events
from ....wording.labels import label_of
from ...filters import LocalMoment, check_span
from ...page import ConsolePage

FILTERS = ("type", "user", "ip", "network", "login_method", "since", "until")


class UserOrAddress(Text):
    """The id of a user, or the address of one in any spelling. The field returns the id."""

    default_error_messages: ClassVar = {
        "unknown": gettext_lazy("No account has this address. The list of users finds parts of addresses.")
    }

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data).strip()
        if "@" not in text:
            return text
        account = find_account_for_operator(email=text)
        if account is None:
            self.fail("unknown")
        return str(account.pk)


class EventsPageQuery(EventsQuery):
    """The filters of the page. Its times may come from a form, without an offset."""

    user = UserOrAddress(max_length=EMAIL_MAX, allow_blank=False, default=None)
    since = LocalMoment(default=None)
    until = LocalMoment(default=None)

    def validate(self, attrs: Any) -> Any:
        """Raise ValidationError beside the end of the time span when the time span is empty."""
        check_span(attrs)
        return attrs


class Events(ConsolePage):
    """The search of audit events."""

    section = "events"
    template = "authsvc_console/events.html"

    @operation(query=EventsPageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show the events that match all filters, with the present addresses of their accounts."""
        page = search_events(
            filters=EventFilters.of(call.query), cursor=call.query["cursor"], limit=call.query["limit"]
        )
        emails = find_emails(user_ids={event.user_id for event in page.events})
        context = {
            "page": page,
            "rows": [(event, emails.get(event.user_id, "")) for event in page.events],
            "filters": call.query,
            "types": sorted(EventType),
            "methods": methods(*filter(None, [call.query["login_method"]])),
            "older": self.url_with(cursor=page.next_cursor),
            "exported": self.typed(*FILTERS),
        }
        return self.render(context)


class ShowEvent(ConsolePage):
    """One audit event."""

    section = "events"
    template = "authsvc_console/event.html"

    @operation(output=HttpResponse, errors=(NotFound,))
    def get(self, call: Call) -> HttpResponse:
        """Show all members of the event, and what surrounds it."""
        context = {
            "detail": get_event(event_id=call.path["event_id"]),
            "has_deliveries": bool(webhook_settings().url),
        }
        return self.render(context)


def methods(*others: str) -> list[tuple[str, str]]:
    """Return the methods of logins by which events are filtered, and the `others`, with their labels.

    The settings may no longer have a provider by which people signed in before.
    """
    known = [
        *((method, label_of(method)) for method in LoginMethod if method is not LoginMethod.OAUTH),
        (LoginMethod.OAUTH, gettext("Any provider")),
        *((f"provider:{provider.name}", provider.label) for provider in configured_providers()),
    ]
    return known + [(method, _label(method)) for method in others if method not in dict(known)]


def _label(method: str) -> str:
    name = method.removeprefix("provider:")
    if name == method:
        return label_of(name)
    return KNOWN[name].label if name in KNOWN else name.replace("_", " ").capitalize()
