"""Queries and bodies of requests to the console's routes."""

import re
from typing import Any, ClassVar

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from askai.plans.entities import Entity
from askai.settings.dsn import DSN_MAX, SSL_MODES
from askai.settings.stored import DEFAULT_MAX_ROWS, DEFAULT_MAX_TOKENS, LlmKind, Widget
from core.http.fields import (
    QUERY_MAX,
    REQUIRED,
    AnyJson,
    Choice,
    Line,
    NonBlankText,
    QueryAddress,
    QueryInteger,
    QueryMoment,
    StrictBoolean,
    StrictInteger,
    Text,
)
from events.logs.shipping import LEVELS
from events.networks import read_network
from events.vocabulary import EventType
from events.webhooks.models import Delivery
from sessions_app.logins.login import LoginMethod

from .models import NOTE_MAX, Review

SECRET = {"input_type": "password"}
"""The style of a field whose value no page shows."""

_LINE = "One line of printable characters."
_WINDOW_DAYS = "Length of the time span in days. The time span ends now."
_METHOD = "List only logins by this method, such as password, passkey or provider:google."
_PROVIDER = re.compile(r"provider:[a-z0-9_-]{1,32}")
_LIMIT = "Maximum number of entries in the answer."
_NETWORK = "List only events from this network: an IPv4 network from /24 to /32, or an IPv6 network from /64 to /128."


class Items(serializers.ListField):
    """A list of at most `max_length` items."""

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        sentence = format_lazy(gettext_lazy("must be a list of at most {number} items."), number=max_length)
        messages: dict[str, Any] = {**REQUIRED, "not_a_list": sentence, "max_length": sentence}
        super().__init__(max_length=max_length, error_messages=messages, **kwargs)


class QueryNetwork(Text):
    """A network of IP addresses that the index of networks can serve. The field returns its canonical form."""

    default_error_messages: ClassVar = dict.fromkeys(
        ("network", "blank"),
        gettext_lazy(
            "must be an IPv4 network from /24 to /32 or an IPv6 network from /64 to /128, such as 203.0.113.0/24."
        ),
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=49, allow_blank=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        network = read_network(super().to_internal_value(data))
        if network is None:
            self.fail("network")
        return str(network)


class QueryLoginMethod(Text):
    """The method of a login, or `provider:` and the name of a sign-in provider."""

    default_error_messages: ClassVar = dict.fromkeys(
        ("method", "blank"),
        format_lazy(
            gettext_lazy("must be one of {methods}, or provider: and the name of a provider."),
            methods=", ".join(LoginMethod),
        ),
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=50, allow_blank=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        method = super().to_internal_value(data)
        if method not in list(LoginMethod) and not _PROVIDER.fullmatch(method):
            self.fail("method")
        return method


class WindowQuery(serializers.Serializer[None]):
    """The time span that a report covers."""

    window_days = QueryInteger(min_value=1, max_value=365, default=7, help_text=_WINDOW_DAYS)


class LongWindowQuery(serializers.Serializer[None]):
    """The time span of a report that needs many events. Its default is longer than that of WindowQuery."""

    window_days = QueryInteger(min_value=1, max_value=365, default=30, help_text=_WINDOW_DAYS)


class LimitQuery(serializers.Serializer[None]):
    """The number of listed entries."""

    limit = QueryInteger(min_value=1, max_value=500, default=50, help_text=_LIMIT)


class PageQuery(LimitQuery):
    """The page of a list."""

    offset = QueryInteger(min_value=0, max_value=10_000, default=0, help_text="Number of entries to skip.")


class UsersQuery(PageQuery):
    """The address of a user, and the page of the list."""

    q = Text(
        default="",
        max_length=QUERY_MAX,
        help_text="E-mail address of the user, exactly as it is stored. Blank: list all users, the newest first.",
    )


class FlaggedEventsQuery(PageQuery):
    """The review of the listed events, and the page of the list."""

    status = Choice(Review.Status.values, default=None, help_text="List only events with this review.")


class EventsQuery(LimitQuery):
    """The listed audit events. An event must match all filters."""

    type = Choice(list(EventType), default=None, help_text="List only events of this type.")
    user = Text(max_length=64, allow_blank=False, default=None, help_text="List only events of the user with this id.")
    ip = QueryAddress(default=None, help_text="List only events from this IP address.")
    network = QueryNetwork(default=None, help_text=_NETWORK)
    login_method = QueryLoginMethod(default=None, help_text=_METHOD)
    since = QueryMoment(default=None, help_text="List only events at or after this time.")
    until = QueryMoment(default=None, help_text="List only events before this time.")
    cursor = Text(max_length=80, default=None, help_text="The `next_cursor` of the page before.")

    def validate(self, attrs: Any) -> Any:
        """Raise ValidationError when the time span is empty."""
        if attrs["since"] and attrs["until"] and attrs["since"] >= attrs["until"]:
            raise serializers.ValidationError("since must be before until.")
        return attrs


class DeliveriesQuery(LimitQuery):
    """The status of the listed deliveries."""

    status = Choice(Delivery.Status.values, default=None, help_text="List only deliveries with this status.")


class ShippedLogsQuery(LimitQuery):
    """The lowest level of the listed lines."""

    level = Choice(list(LEVELS), default=None, help_text="List only lines of this level or a higher level.")


class DigestsQuery(serializers.Serializer[None]):
    """The number of listed digests."""

    limit = QueryInteger(min_value=1, max_value=200, default=20, help_text=_LIMIT)


class DiagnoseQuery(serializers.Serializer[None]):
    """The user who cannot sign in."""

    email = NonBlankText(max_length=QUERY_MAX, help_text="E-mail address of the user, in any spelling.")


class MetadataInput(serializers.Serializer[None]):
    """The new value of a metadata key: any JSON value."""

    example: ClassVar = {"value": "gold"}

    value = AnyJson(is_demanded=True)


class ReviewInput(serializers.Serializer[None]):
    """The review of a flagged event."""

    example: ClassVar = {"status": "dismissed", "note": "The user was on a journey."}

    status = AnyJson(keywords={"type": "string", "enum": Review.Status.values}, is_demanded=True)
    note = AnyJson(
        keywords={"type": "string", "maxLength": NOTE_MAX, "default": ""},
        help_text="Replaces the earlier note. Without a note, the earlier note is deleted.",
    )


class LlmProviderInput(serializers.Serializer[None]):
    """The language model setting to store."""

    example: ClassVar = {"kind": "builtin", "model": "builtin", "api_key": "not used", "max_tokens": DEFAULT_MAX_TOKENS}

    kind = Choice(list(LlmKind))
    model = Line(max_length=200, help_text=_LINE)
    api_key = Line(
        max_length=4096, help_text=f"Required in every request. No answer contains it. {_LINE}", style=SECRET
    )
    max_tokens = StrictInteger(min_value=256, max_value=8192, default=DEFAULT_MAX_TOKENS)


class DatabaseProviderInput(serializers.Serializer[None]):
    """The read-only database setting to store."""

    example: ClassVar = {
        "label": "replica",
        "dsn": "postgresql://reader:secret@replica.example.com:5432/gatehouse?sslmode=require",
        "max_rows": DEFAULT_MAX_ROWS,
    }

    label = Line(max_length=100, help_text=_LINE)  # type: ignore[assignment]  # the contract's name; DRF removes declared fields
    dsn = Line(
        max_length=DSN_MAX,
        help_text="`postgresql://USER:PASSWORD@HOST:PORT/DATABASE`. The optional parameters are "
        f"`sslmode` ({', '.join(SSL_MODES)}) and `connect_timeout`. No answer contains the DSN.",
        style=SECRET,
    )
    max_rows = StrictInteger(min_value=1, max_value=500, default=DEFAULT_MAX_ROWS)


class WidgetInput(serializers.Serializer[None]):
    """The widget setting to store."""

    example: ClassVar = Widget.example

    enabled = StrictBoolean()
    allowed_origins = Items(
        child=Line(max_length=300),
        max_length=20,
        default=list,
        help_text="An origin is `scheme://host` or `scheme://host:port` with http or https, and has no path.",
    )
    entities = Items(child=Choice(list(Entity)), max_length=8, default=list)
    greeting = Text(max_length=200, default="", help_text="Required when `enabled` is true.")
    placeholder = Text(max_length=200, default="")
