"""Queries and bodies that the console's routes take and answer."""

from typing import Any, ClassVar

from rest_framework import serializers

from accounts.core.http.examples import (
    EARLIER,
    EMAIL,
    MOMENT,
    USER_ID,
)
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
from accounts.metadata import RESERVED_CLAIM_NAMES
from askai.dsn import DSN_MAX, SSL_MODES
from askai.entities import Entity
from askai.settings_store import DEFAULT_MAX_ROWS, DEFAULT_MAX_TOKENS, LlmKind

from .models import NOTE_MAX, Review

_LINE = "One line of printable characters."
_EVENT_ID = "01a1fd90-2b4c-7e11-9d3a-6f7081a2b3c4"
_OPERATOR_ID = "01a1fd00-7c11-7abc-8def-0123456789ab"
_DIGEST_TEXT = (
    "Gatehouse, 2026-11-14 09:45 to 2026-11-21 09:45 UTC (7 days)\n\n"
    "Signing in\n        412  logins (380 before, +8 %)\n\nUsers in all: 97\n"
)


class Items(serializers.ListField):
    """A list of a few."""

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        sentence = f"must be a list of at most {max_length}."
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


class UserOutput(serializers.Serializer[None]):
    """An account as an operator sees it."""

    example: ClassVar = {
        "id": USER_ID,
        "email": EMAIL,
        "created_at": EARLIER,
        "updated_at": MOMENT,
        "failed_attempts": 0,
        "locked": False,
        "locked_until": None,
    }

    id = serializers.CharField()
    email = serializers.CharField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    failed_attempts = serializers.IntegerField()
    locked = serializers.BooleanField()
    locked_until = serializers.DateTimeField(allow_null=True)


class UserPageOutput(serializers.Serializer[None]):
    """A page of users."""

    example: ClassVar = {
        "users": [UserOutput.example],
        "total": 1,
        "limit": 50,
        "offset": 0,
        "match": "exact_email",
        "query": EMAIL,
    }

    users = UserOutput(many=True)
    total = serializers.IntegerField(help_text="Exact up to 100,000; beyond that it may be a minute old.")
    limit = serializers.IntegerField()
    offset = serializers.IntegerField()
    match = serializers.ChoiceField(["exact_email", "browse"])
    query = serializers.CharField()


class ActivityOutput(serializers.Serializer[None]):
    """An event, as far as a list shows it."""

    example: ClassVar = {"type": "login_success", "created_at": MOMENT}

    type = serializers.CharField()
    created_at = serializers.DateTimeField()


class UserDetailOutput(serializers.Serializer[None]):
    """An account in detail."""

    example: ClassVar = {
        "user": UserOutput.example,
        "active_sessions": 2,
        "recent_activity": [ActivityOutput.example],
    }

    user = UserOutput()
    active_sessions = serializers.IntegerField()
    recent_activity = ActivityOutput(many=True)


class MetadataOutput(serializers.Serializer[None]):
    """A user's metadata."""

    example: ClassVar = {
        "user_id": USER_ID,
        "metadata": {"plan": "gold"},
        "reserved_claim_names": list(RESERVED_CLAIM_NAMES),
    }

    user_id = serializers.CharField()
    metadata = serializers.DictField()
    reserved_claim_names = serializers.ListField(child=serializers.CharField())


class ReviewOutput(serializers.Serializer[None]):
    """A judgement on a flagged event."""

    example: ClassVar = {
        "id": _EVENT_ID,
        "status": "dismissed",
        "note": "The user was on a journey.",
        "reviewer_id": _OPERATOR_ID,
        "updated_at": MOMENT,
    }

    id = serializers.UUIDField()
    status = serializers.ChoiceField(Review.Status.values)
    note = serializers.CharField()
    reviewer_id = serializers.CharField()
    updated_at = serializers.DateTimeField()


class AnomalyOutput(serializers.Serializer[None]):
    """A flagged event; `reviewer_id` and `updated_at` are missing while nobody has judged it."""

    example: ClassVar = {
        "id": _EVENT_ID,
        "type": "anomaly_detected",
        "user_id": USER_ID,
        "ip": "203.0.113.7",
        "metadata": {"signals": ["new_ip", "new_device"]},
        "created_at": MOMENT,
        "status": "unreviewed",
        "note": "",
    }

    id = serializers.UUIDField()
    type = serializers.CharField()
    user_id = serializers.CharField(allow_null=True)
    ip = serializers.CharField()
    metadata = serializers.DictField()
    created_at = serializers.DateTimeField()
    status = serializers.ChoiceField(Review.Status.values)
    note = serializers.CharField()
    reviewer_id = serializers.CharField(required=False)
    updated_at = serializers.DateTimeField(required=False)


class AnomalyPageOutput(serializers.Serializer[None]):
    """A page of flagged events."""

    example: ClassVar = {
        "anomalies": [AnomalyOutput.example],
        "limit": 50,
        "offset": 0,
        "status": None,
        "has_more": False,
    }

    anomalies = AnomalyOutput(many=True)
    limit = serializers.IntegerField()
    offset = serializers.IntegerField()
    status = serializers.ChoiceField(Review.Status.values, allow_null=True)
    has_more = serializers.BooleanField()


class HasherOutput(serializers.Serializer[None]):
    """What new hashes are made with."""

    algorithm = serializers.CharField()
    memory_kib = serializers.IntegerField()
    iterations = serializers.IntegerField()
    parallelism = serializers.IntegerField()


class HashMigrationOutput(serializers.Serializer[None]):
    """How far stored hashes have been rewritten. It counts events, not users."""

    example: ClassVar = {
        "hasher": {"algorithm": "argon2id", "memory_kib": 19456, "iterations": 2, "parallelism": 1},
        "total_users": 97,
        "upgraded_events": 81,
        "estimated_remaining": 16,
        "window_days": 7,
        "upgraded_events_in_window": 5,
    }

    hasher = HasherOutput()
    total_users = serializers.IntegerField()
    upgraded_events = serializers.IntegerField()
    estimated_remaining = serializers.IntegerField()
    window_days = serializers.IntegerField()
    upgraded_events_in_window = serializers.IntegerField()


class FactorCountsOutput(serializers.Serializer[None]):
    """A kind of second factor. It counts events, not users."""

    factor = serializers.CharField()
    enrolled_events = serializers.IntegerField()
    removed_events = serializers.IntegerField()
    enrolled_events_in_window = serializers.IntegerField()
    removed_events_in_window = serializers.IntegerField()


class MfaAdoptionOutput(serializers.Serializer[None]):
    """How many second factors come and go."""

    example: ClassVar = {
        "total_users": 97,
        "window_days": 7,
        "factors": [
            {
                "factor": "totp",
                "enrolled_events": 40,
                "removed_events": 3,
                "enrolled_events_in_window": 2,
                "removed_events_in_window": 0,
            }
        ],
    }

    total_users = serializers.IntegerField()
    window_days = serializers.IntegerField()
    factors = FactorCountsOutput(many=True)


class ProviderHealthOutput(serializers.Serializer[None]):
    """An OAuth provider; `http_status`, 0 without an answer, and `latency_ms` only of those that were asked."""

    provider = serializers.CharField()
    configured = serializers.BooleanField()
    status = serializers.ChoiceField(["ok", "degraded", "unreachable", "not_configured"])
    http_status = serializers.IntegerField(required=False)
    latency_ms = serializers.IntegerField(required=False)


class OAuthHealthOutput(serializers.Serializer[None]):
    """Every OAuth provider."""

    example: ClassVar = {
        "providers": [
            {"provider": "google", "configured": True, "status": "ok", "http_status": 400, "latency_ms": 112},
            {"provider": "github", "configured": False, "status": "not_configured"},
        ]
    }

    providers = ProviderHealthOutput(many=True)


class DiagnosisOutput(serializers.Serializer[None]):
    """What is known of an address."""

    example: ClassVar = {
        "email": EMAIL,
        "found": True,
        "locked": False,
        "locked_until": None,
        "failed_attempts": 2,
        "active_sessions": 1,
        "recent_events": [ActivityOutput.example],
        "text": "The account has existed since 2026-11-14. It is not locked, after 2 failed attempts in a row.",
    }

    email = serializers.CharField()
    found = serializers.BooleanField()
    locked = serializers.BooleanField()
    locked_until = serializers.DateTimeField(allow_null=True)
    failed_attempts = serializers.IntegerField()
    active_sessions = serializers.IntegerField()
    recent_events = ActivityOutput(many=True)
    text = serializers.CharField()


class DigestOutput(serializers.Serializer[None]):
    """A digest, as text."""

    example: ClassVar = {"since": EARLIER, "until": MOMENT, "window_days": 7, "text": _DIGEST_TEXT}

    since = serializers.DateTimeField()
    until = serializers.DateTimeField()
    window_days = serializers.IntegerField()
    text = serializers.CharField()


class SuggestionOutput(serializers.Serializer[None]):
    """Something about the settings that might be considered."""

    area = serializers.CharField()
    finding = serializers.CharField()
    suggestion = serializers.CharField()


class ConfigTuningOutput(serializers.Serializer[None]):
    """Suggestions, with the counts by event type that they rest on."""

    example: ClassVar = {
        "since": EARLIER,
        "until": MOMENT,
        "window_days": 7,
        "suggestions": [
            {
                "area": "passwords",
                "finding": "BREACHED_PASSWORDS is off: passwords known from breaches are accepted.",
                "suggestion": "Consider `offline`, which needs no network.",
            }
        ],
        "counts": {"login_success": 412, "login_failed": 30},
    }

    since = serializers.DateTimeField()
    until = serializers.DateTimeField()
    window_days = serializers.IntegerField()
    suggestions = SuggestionOutput(many=True)
    counts = serializers.DictField(child=serializers.IntegerField())


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

    example: ClassVar = {
        "enabled": True,
        "allowed_origins": ["https://app.example.com"],
        "entities": ["sessions", "audit_events"],
        "greeting": "Ask about your sessions.",
        "placeholder": "Where am I signed in?",
    }

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


class LlmProviderOutput(serializers.Serializer[None]):
    """The language model setting, without its key."""

    example: ClassVar = {
        "kind": "builtin",
        "model": "builtin",
        "max_tokens": DEFAULT_MAX_TOKENS,
        "api_key_set": True,
        "configured": True,
    }

    kind = serializers.CharField()
    model = serializers.CharField()
    max_tokens = serializers.IntegerField()
    api_key_set = serializers.BooleanField()
    configured = serializers.BooleanField()


class DatabaseProviderOutput(serializers.Serializer[None]):
    """The read-only database setting, without its DSN."""

    example: ClassVar = {
        "label": "replica",
        "max_rows": DEFAULT_MAX_ROWS,
        "dsn_set": True,
        "host": "replica.example.com",
        "database": "gatehouse",
        "configured": True,
    }

    label = serializers.CharField()  # type: ignore[assignment]  # the contract's name; DRF removes declared fields
    max_rows = serializers.IntegerField()
    dsn_set = serializers.BooleanField()
    host = serializers.CharField()
    database = serializers.CharField()
    configured = serializers.BooleanField()


class WidgetOutput(serializers.Serializer[None]):
    """The widget setting."""

    example: ClassVar = WidgetInput.example

    enabled = serializers.BooleanField()
    allowed_origins = serializers.ListField(child=serializers.CharField())
    entities = serializers.ListField(child=serializers.CharField())
    greeting = serializers.CharField()
    placeholder = serializers.CharField()


class DeliveryOutput(serializers.Serializer[None]):
    """A delivery to the webhook. `response_code` is missing while no attempt has got an answer."""

    id = serializers.UUIDField()
    event_id = serializers.UUIDField()
    event_type = serializers.CharField()
    user_id = serializers.CharField(allow_null=True)
    ip = serializers.CharField()
    payload = serializers.CharField(help_text="The exact bytes that are sent, as text.")
    status = serializers.ChoiceField(Delivery.Status.values)
    attempts = serializers.IntegerField()
    response_code = serializers.IntegerField(required=False)
    error = serializers.CharField()
    duration_ms = serializers.IntegerField(allow_null=True)
    created_at = serializers.DateTimeField()
    next_attempt_at = serializers.DateTimeField(allow_null=True)
    delivered_at = serializers.DateTimeField(allow_null=True)


class DeliveriesOutput(serializers.Serializer[None]):
    """What was sent to the webhook."""

    example: ClassVar = {
        "deliveries": [
            {
                "id": "01a1fd91-6d2e-7f33-8a1b-2c3d4e5f6071",
                "event_id": _EVENT_ID,
                "event_type": "signup_success",
                "user_id": USER_ID,
                "ip": "203.0.113.7",
                "payload": '{"id":"01a1fd90-2b4c-7e11-9d3a-6f7081a2b3c4","type":"signup_success",'
                '"timestamp":"2026-11-21T09:45:56.582545Z","data":{"user_id":"01a1fd7f-8a59-70bd-8e98-a7342831606a",'
                '"ip":"203.0.113.7","metadata":{}}}',
                "status": "delivered",
                "attempts": 1,
                "response_code": 204,
                "error": "",
                "duration_ms": 38,
                "created_at": MOMENT,
                "next_attempt_at": None,
                "delivered_at": MOMENT,
            }
        ],
        "count": 1,
        "limit": 50,
        "status": None,
        "statuses": Delivery.Status.values,
    }

    deliveries = DeliveryOutput(many=True)
    count = serializers.IntegerField()
    limit = serializers.IntegerField()
    status = serializers.ChoiceField(Delivery.Status.values, allow_null=True)
    statuses = serializers.ListField(child=serializers.ChoiceField(Delivery.Status.values))


class ShippedLogOutput(serializers.Serializer[None]):
    """A line of the log as it left the house. `shipped_at` is null until the collector takes it."""

    id = serializers.UUIDField()
    level = serializers.ChoiceField(list(LEVELS))
    message = serializers.CharField()
    fields = serializers.DictField()  # type: ignore[assignment]  # the decided name; DRF removes declared fields
    shipped_at = serializers.DateTimeField(allow_null=True)


class ShippedLogsOutput(serializers.Serializer[None]):
    """Lines of the log."""

    example: ClassVar = {
        "events": [
            {
                "id": "01a1fd92-0a1b-7c2d-8e3f-405162738495",
                "level": "warn",
                "message": "the database does not answer",
                "fields": {"reason": "OperationalError"},
                "shipped_at": None,
            }
        ],
        "count": 1,
        "limit": 50,
        "level": "warn",
        "levels": list(LEVELS),
    }

    events = ShippedLogOutput(many=True)
    count = serializers.IntegerField()
    limit = serializers.IntegerField()
    level = serializers.ChoiceField(list(LEVELS), allow_null=True)
    levels = serializers.ListField(child=serializers.ChoiceField(list(LEVELS)))


class RunOutput(serializers.Serializer[None]):
    """A digest as it was recorded."""

    id = serializers.UUIDField()
    window_start = serializers.DateTimeField()
    window_end = serializers.DateTimeField()
    generated_at = serializers.DateTimeField()
    text = serializers.CharField()


class DigestHistoryOutput(serializers.Serializer[None]):
    """Recorded digests."""

    example: ClassVar = {
        "runs": [
            {
                "id": "01a1fd93-5b6c-7d7e-8f80-91a2b3c4d5e6",
                "window_start": EARLIER,
                "window_end": MOMENT,
                "generated_at": MOMENT,
                "text": _DIGEST_TEXT,
            }
        ],
        "count": 1,
        "limit": 20,
    }

    runs = RunOutput(many=True)
    count = serializers.IntegerField()
    limit = serializers.IntegerField()
