"""The page of the operators and of their acts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop, ngettext, pgettext
from rest_framework import serializers

from askai.settings.stored import Name
from core.http.call import Call
from core.http.fields import Text
from core.http.view import operation
from events.vocabulary import EventType

from ....account_acts.catalogue import ACTS, ActName
from ....account_acts.planned import OWNER
from ....alerts.raising import SERVICE
from ....operators.acts import COMMAND_LINE, Act, list_acts
from ....operators.grants import list_operators
from ....people.users import find_emails
from ....roles import TEXTS, Role
from ....wording.lists import all_of
from ... import navigation
from ...page import ConsolePage

PAGE_SIZE = 50

_SETTINGS: Mapping[str, tuple[str, str, str]] = {
    Name.LLM_PROVIDER: (
        gettext_noop("Stored the language model setting"),
        gettext_noop("Removed the language model setting"),
        "settings/llm",
    ),
    Name.DATABASE_PROVIDER: (
        gettext_noop("Stored the database setting"),
        gettext_noop("Removed the database setting"),
        "settings/database",
    ),
    Name.WIDGET: (
        gettext_noop("Stored the widget setting"),
        gettext_noop("Removed the widget setting"),
        "settings/widget",
    ),
}
_AUTHORS: Mapping[str, str] = {
    COMMAND_LINE: gettext_noop("Command line"),
    OWNER: gettext_noop("Account owner"),
    SERVICE: gettext_noop("Service"),
}
"""The authors of acts that no operator did."""
_LISTS: Mapping[str, str] = {
    "events": gettext_noop("Exported the list of events"),
    "users": gettext_noop("Exported the list of users"),
    "anomalies": gettext_noop("Exported the list of anomalies"),
    "deliveries": gettext_noop("Exported the list of deliveries"),
    "logs": gettext_noop("Exported the list of logs"),
    "attack": gettext_noop("Exported the list of attack"),
}
_STATUSES: Mapping[str, str] = {
    "confirmed": gettext_noop("confirmed"),
    "dismissed": gettext_noop("dismissed"),
    "unreviewed": gettext_noop("unreviewed"),
}
_STEPS: Mapping[str, str] = {
    "planned": gettext_noop("planned"),
    "cancelled": gettext_noop("cancelled"),
    "failed": gettext_noop("failed"),
}
_EXPORTS: Mapping[str, str] = {"anomalies": "reviews"}
"""The paths of exported lists whose page has another name than the list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedAct:
    """An act in words. `subject` is the label of the link to its subject; "" without one."""

    act: Act
    text: str
    subject: str = ""
    url: str = ""

    @property
    def author(self) -> str:
        """The author when that is no operator: the command line, or the owner of an account."""
        author = str(self.act.metadata.get("author", ""))
        return gettext(_AUTHORS[author]) if author in _AUTHORS else author.capitalize()


class OperatorsQuery(serializers.Serializer[None]):
    """The page of the acts."""

    cursor = Text(max_length=80, default=None)


class Operators(ConsolePage):
    """The operators and their acts."""

    section = "operators"
    template = "authsvc_console/operators.html"

    @operation(query=OperatorsQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show all operators, and a page of the acts, the newest first."""
        page = list_acts(cursor=call.query["cursor"], limit=PAGE_SIZE)
        emails = find_emails(user_ids=[act.metadata.get("subject_id") for act in page.acts])
        context = {
            "operators": [(granted, TEXTS[granted.held_role]) for granted in list_operators()],
            "roles": [(role, TEXTS[role]) for role in Role],
            "acts": [_describe(act, emails) for act in page.acts],
            "is_first": call.query["cursor"] is None,
            "older": self.url_with(cursor=page.next_cursor) if page.next_cursor else "",
        }
        return self.render(context)


def _describe(act: Act, emails: Mapping[str | None, str]) -> DescribedAct:
    """Return the act in words, with a link to its subject. `emails` has the addresses of the subjects of acts."""
    metadata: Mapping[str, Any] = act.metadata
    text, subject, url = gettext("Signed in to the console"), "", ""
    match act.type:
        case EventType.OPERATOR_METADATA_CHANGED:
            is_set = metadata["change"] == "set"
            text = (
                gettext("Set the metadata key %(key)s of a user")
                if is_set
                else gettext("Removed the metadata key %(key)s of a user")
            )
            text %= {"key": metadata["key"]}
            subject = emails.get(metadata["subject_id"], gettext("Deleted account"))
            url = reverse("authsvc-console-user", args=[metadata["subject_id"]])
        case EventType.OPERATOR_EVENT_REVIEWED:
            text, subject, url = _describe_review(metadata)
        case EventType.OPERATOR_SETTING_CHANGED:
            stored, removed, section = _SETTINGS[metadata["setting"]]
            text = gettext(stored if metadata["change"] == "stored" else removed)
            subject, url = pgettext("noun", "Setting"), _section(section)
        case EventType.OPERATOR_GRANTED | EventType.OPERATOR_REVOKED:
            text = _describe_grant(metadata, is_grant=act.type == EventType.OPERATOR_GRANTED)
            subject = act.email or gettext("Deleted account")
            url = reverse("authsvc-console-user", args=[act.user_id]) if act.email else ""
        case EventType.OPERATOR_COMMAND:
            text = gettext("Ran users %(command)s as %(os_user)s")
            text %= {"command": metadata["command"], "os_user": metadata["os_user"]}
            subject = act.email or (gettext("Deleted account") if act.user_id else "")
            url = reverse("authsvc-console-user", args=[act.user_id]) if act.email else ""
        case EventType.ALERT_RAISED:
            text = gettext("Raised an alert (%(kind)s): %(matters)s")
            text %= {"kind": metadata["kind"], "matters": "; ".join(metadata["matters"])}
        case EventType.OPERATOR_ACTED:
            return _describe_acted(act, emails)
        case EventType.OPERATOR_EXPORTED:
            return _describe_export(act, emails)
    return DescribedAct(act=act, text=text, subject=subject, url=url)


def _describe_review(metadata: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the text of a review, the label of the link, and its URL."""
    events, url = metadata["event_ids"], _section("reviews")
    text = ngettext(
        "Marked a flagged event as %(status)s", "Marked %(number)s flagged events as %(status)s", len(events)
    ) % {"number": len(events), "status": gettext(_STATUSES[metadata["status"]])}
    if len(events) == 1:
        return text, gettext("Review"), f"{url}/{events[0]}"
    return text, gettext("Reviews"), url


def _describe_grant(metadata: Mapping[str, Any], *, is_grant: bool) -> str:
    text = gettext("Removed operator status")
    if is_grant:
        text = gettext("Made an account an operator, as %(role)s") % {"role": metadata["role"]}
    if metadata.get("os_user"):
        text = gettext("%(act)s, run by %(os_user)s") % {"act": text, "os_user": metadata["os_user"]}
    return text


def _describe_acted(act: Act, emails: Mapping[str | None, str]) -> DescribedAct:
    """Return an act on an account, on deliveries or on a network. Its reason follows in brackets."""
    metadata, subject, url = act.metadata, "", ""
    match metadata["act"]:
        case "block-network":
            label = gettext("Blocked a network for %(hours)s h") % {"hours": metadata["hours"]}
            subject, url = metadata["network"], _section("blocks")
        case "unblock-network":
            label, subject, url = gettext("Unblocked a network"), metadata["network"], _section("blocks")
        case "resend-delivery":
            label, subject = gettext("Sent a delivery again"), gettext("Delivery")
            url = _section(f"deliveries/{metadata['delivery_id']}")
        case "resend-failed":
            label = gettext("Sent %(number)s failed deliveries again") % {"number": metadata["number"]}
            subject, url = gettext("Deliveries"), _section("deliveries")
        case name:
            user_id = metadata["subject_id"]
            label, subject = str(ACTS[ActName(name)].label), emails.get(user_id, gettext("Deleted account"))
            url = reverse("authsvc-console-user", args=[user_id]) if user_id in emails else ""
    step = metadata["step"]
    text = label if step == "done" else f"{label}: {gettext(_STEPS[step]) if step in _STEPS else step}"
    text += "".join(f" ({metadata[name]})" for name in ("reason", "cause", "os_user") if metadata.get(name))
    return DescribedAct(act=act, text=text, subject=subject, url=url)


def _describe_export(act: Act, emails: Mapping[str | None, str]) -> DescribedAct:
    """Return the export of a list, or of the data about one person."""
    name, filters = act.metadata["list"], act.metadata["filters"]
    if (user_id := act.metadata.get("subject_id")) is not None:
        url = reverse("authsvc-console-user", args=[user_id]) if user_id in emails else ""
        subject = emails.get(user_id, gettext("Deleted account"))
        return DescribedAct(act=act, text=gettext("Exported all data about a user"), subject=subject, url=url)
    text = gettext(_LISTS[name]) if name in _LISTS else gettext("Exported the list of %(name)s") % {"name": name}
    if filters:
        text = gettext("%(export)s, filtered by %(filters)s") % {"export": text, "filters": all_of(filters)}
    subject = pgettext("noun", "List")
    return DescribedAct(act=act, text=text, subject=subject, url=_section(_EXPORTS.get(name, name)))


def _section(path: str) -> str:
    return f"{navigation.prefix()}{path}"
