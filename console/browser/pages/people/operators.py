"""The page of the operators and of their acts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from rest_framework import serializers

from askai.settings.stored import Name
from core.http.call import Call
from core.http.fields import Text
from core.http.view import operation
from events.vocabulary import EventType

from ....account_acts.catalogue import ACTS, ActName
from ....operators.acts import Act, list_acts
from ....operators.grants import list_operators
from ....people.users import find_emails
from ....roles import TEXTS, Role
from ... import navigation
from ...page import ConsolePage

PAGE_SIZE = 50

_SETTINGS: Mapping[str, tuple[str, str]] = {
    Name.LLM_PROVIDER: ("language model", "settings/llm"),
    Name.DATABASE_PROVIDER: ("database", "settings/database"),
    Name.WIDGET: ("widget", "settings/widget"),
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
        return str(self.act.metadata.get("author", "")).capitalize()


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
    text, subject, url = "Signed in to the console", "", ""
    match act.type:
        case EventType.OPERATOR_METADATA_CHANGED:
            verb = "Set" if metadata["change"] == "set" else "Removed"
            text = f"{verb} the metadata key {metadata['key']} of a user"
            subject = emails.get(metadata["subject_id"], "Deleted account")
            url = reverse("authsvc-console-user", args=[metadata["subject_id"]])
        case EventType.OPERATOR_EVENT_REVIEWED:
            events, status = metadata["event_ids"], metadata["status"]
            text, subject, url = f"Marked {len(events)} flagged events as {status}", "Reviews", _section("reviews")
            if len(events) == 1:
                text, subject, url = f"Marked a flagged event as {status}", "Review", f"{url}/{events[0]}"
        case EventType.OPERATOR_SETTING_CHANGED:
            label, section = _SETTINGS[metadata["setting"]]
            verb = "Stored" if metadata["change"] == "stored" else "Removed"
            text, subject, url = f"{verb} the {label} setting", "Setting", _section(section)
        case EventType.OPERATOR_GRANTED | EventType.OPERATOR_REVOKED:
            is_grant = act.type == EventType.OPERATOR_GRANTED
            text = f"Made an account an operator, as {metadata['role']}" if is_grant else "Removed operator status"
            text += f", run by {metadata['os_user']}" if metadata.get("os_user") else ""
            subject = act.email or "Deleted account"
            url = reverse("authsvc-console-user", args=[act.user_id]) if act.email else ""
        case EventType.OPERATOR_COMMAND:
            text = f"Ran users {metadata['command']} as {metadata['os_user']}"
            subject = act.email or ("Deleted account" if act.user_id else "")
            url = reverse("authsvc-console-user", args=[act.user_id]) if act.email else ""
        case EventType.ALERT_RAISED:
            text = f"Raised an alert ({metadata['kind']}): {'; '.join(metadata['matters'])}"
        case EventType.OPERATOR_ACTED:
            return _describe_acted(act, emails)
        case EventType.OPERATOR_EXPORTED:
            return _describe_export(act, emails)
    return DescribedAct(act=act, text=text, subject=subject, url=url)


def _describe_acted(act: Act, emails: Mapping[str | None, str]) -> DescribedAct:
    """Return an act on an account, on deliveries or on a network. Its reason follows in brackets."""
    metadata, subject, url = act.metadata, "", ""
    match metadata["act"]:
        case "block-network":
            label, subject, url = (
                f"Blocked a network for {metadata['hours']} h",
                metadata["network"],
                _section("blocks"),
            )
        case "unblock-network":
            label, subject, url = "Unblocked a network", metadata["network"], _section("blocks")
        case "resend-delivery":
            label, subject = "Sent a delivery again", "Delivery"
            url = _section(f"deliveries/{metadata['delivery_id']}")
        case "resend-failed":
            label, subject, url = (
                f"Sent {metadata['number']} failed deliveries again",
                "Deliveries",
                _section("deliveries"),
            )
        case name:
            user_id = metadata["subject_id"]
            label, subject = ACTS[ActName(name)].label, emails.get(user_id, "Deleted account")
            url = reverse("authsvc-console-user", args=[user_id]) if user_id in emails else ""
    text = label if metadata["step"] == "done" else f"{label}: {metadata['step']}"
    text += "".join(f" ({metadata[name]})" for name in ("reason", "cause", "os_user") if metadata.get(name))
    return DescribedAct(act=act, text=text, subject=subject, url=url)


def _describe_export(act: Act, emails: Mapping[str | None, str]) -> DescribedAct:
    """Return the export of a list, or of the data about one person."""
    name, filters = act.metadata["list"], act.metadata["filters"]
    if (user_id := act.metadata.get("subject_id")) is not None:
        url = reverse("authsvc-console-user", args=[user_id]) if user_id in emails else ""
        subject = emails.get(user_id, "Deleted account")
        return DescribedAct(act=act, text="Exported all data about a user", subject=subject, url=url)
    used = f", filtered by {' and '.join(filters)}" if filters else ""
    text = f"Exported the list of {name}{used}"
    return DescribedAct(act=act, text=text, subject="List", url=_section(_EXPORTS.get(name, name)))


def _section(path: str) -> str:
    return f"{navigation.prefix()}{path}"
