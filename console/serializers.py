"""Queries and bodies of requests to the console's routes."""

from typing import Any, ClassVar

from rest_framework import serializers

from accounts.core.http.fields import (
    QUERY_MAX,
    REQUIRED,
    Choice,
    Filled,
    Flag,
    Json,
    Line,
    QueryWhole,
    Text,
    Whole,
)
from accounts.events.logs.shipping import LEVELS
from accounts.events.webhooks.models import Delivery
from askai.dsn import DSN_MAX, SSL_MODES
from askai.entities import Entity
from askai.settings_store import DEFAULT_MAX_ROWS, DEFAULT_MAX_TOKENS, LlmKind, Widget

from .models import NOTE_MAX, Review

_LINE = "One line of printable characters."


class Items(serializers.ListField):
    """A list of a few."""

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        sentence = f"must be a list of at most {max_length} items."
        messages: dict[str, Any] = {**REQUIRED, "not_a_list": sentence, "max_length": sentence}
        super().__init__(max_length=max_length, error_messages=messages, **kwargs)


class WindowQuery(serializers.Serializer[None]):
    """How far a report looks back."""

    window_days = QueryWhole(min_value=1, max_value=365, default=7, help_text="In days.")


class LongWindowQuery(serializers.Serializer[None]):
    """How far a report looks back that needs more to go by."""

    window_days = QueryWhole(min_value=1, max_value=365, default=30, help_text="In days.")


class PageQuery(serializers.Serializer[None]):
    """Which page of a list."""

    limit = QueryWhole(min_value=1, max_value=500, default=50)
    offset = QueryWhole(min_value=0, max_value=10_000, default=0)


class UsersQuery(PageQuery):
    """Whom to look for, and which page."""

    q = Text(
        default="",
        max_length=QUERY_MAX,
        help_text="The address exactly as it is stored; blank browses, the newest first.",
    )


class AnomaliesQuery(PageQuery):
    """Which flagged events."""

    status = Choice(Review.Status.values, default=None, help_text="Only those with this judgement.")


class DeliveriesQuery(serializers.Serializer[None]):
    """Which deliveries."""

    status = Choice(Delivery.Status.values, default=None, help_text="Only those that stand so.")
    limit = QueryWhole(min_value=1, max_value=500, default=50)


class ShippedLogsQuery(serializers.Serializer[None]):
    """Which lines of the log."""

    level = Choice(list(LEVELS), default=None, help_text="This level and those above it.")
    limit = QueryWhole(min_value=1, max_value=500, default=50)


class DigestsQuery(serializers.Serializer[None]):
    """How many recorded digests."""

    limit = QueryWhole(min_value=1, max_value=200, default=20)


class DiagnoseQuery(serializers.Serializer[None]):
    """Whose trouble."""

    email = Filled(max_length=QUERY_MAX, help_text="The address, in any spelling.")


class MetadataInput(serializers.Serializer[None]):
    """Body of a metadata write: any JSON value."""

    example: ClassVar = {"value": "gold"}

    value = Json(is_demanded=True)


class ReviewInput(serializers.Serializer[None]):
    """Body of a judgement."""

    example: ClassVar = {"status": "dismissed", "note": "The user was on a journey."}

    status = Json(keywords={"type": "string", "enum": Review.Status.values}, is_demanded=True)
    note = Json(
        keywords={"type": "string", "maxLength": NOTE_MAX, "default": ""},
        help_text="Without a note, an earlier one goes.",
    )


class LlmProviderInput(serializers.Serializer[None]):
    """Body of a language model setting."""

    example: ClassVar = {"kind": "builtin", "model": "builtin", "api_key": "not used", "max_tokens": DEFAULT_MAX_TOKENS}

    kind = Choice(list(LlmKind))
    model = Line(max_length=200, help_text=_LINE)
    api_key = Line(max_length=4096, help_text=f"Required on every write, and never shown. {_LINE}")
    max_tokens = Whole(min_value=256, max_value=8192, default=DEFAULT_MAX_TOKENS)


class DatabaseProviderInput(serializers.Serializer[None]):
    """Body of a read-only database setting."""

    example: ClassVar = {
        "label": "replica",
        "dsn": "postgresql://reader:secret@replica.example.com:5432/gatehouse?sslmode=require",
        "max_rows": DEFAULT_MAX_ROWS,
    }

    label = Line(max_length=100, help_text=_LINE)  # type: ignore[assignment]  # the contract's name; DRF removes declared fields
    dsn = Line(
        max_length=DSN_MAX,
        help_text="`postgresql://USER:PASSWORD@HOST:PORT/DATABASE`, perhaps with "
        f"`?sslmode=` ({', '.join(SSL_MODES)}) and `connect_timeout=`; never shown.",
    )
    max_rows = Whole(min_value=1, max_value=500, default=DEFAULT_MAX_ROWS)


class WidgetInput(serializers.Serializer[None]):
    """Body of a widget setting."""

    example: ClassVar = Widget.example

    enabled = Flag()
    allowed_origins = Items(
        child=Line(max_length=300),
        max_length=20,
        default=list,
        help_text="Each is `scheme://host` or `scheme://host:port`, http or https, without a path.",
    )
    entities = Items(child=Choice(list(Entity)), max_length=8, default=list)
    greeting = Text(max_length=200, default="", help_text="Required when `enabled` is true.")
    placeholder = Text(max_length=200, default="")
