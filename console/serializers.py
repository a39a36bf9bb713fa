"""Queries and bodies that the console's routes take and answer."""

from typing import Any

from rest_framework import serializers

from accounts.core.fields import QUERY_MAX, REQUIRED, Choice, Flag, Json, Line, QueryWhole, Text, Whole
from accounts.events.delivery_models import Delivery
from accounts.events.shipping import LEVELS
from askai.dsn import DSN_MAX, SSL_MODES
from askai.entities import Entity
from askai.settings_store import DEFAULT_MAX_ROWS, DEFAULT_MAX_TOKENS, LlmKind

from .models import Review


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

    email = Text(allow_blank=False, max_length=QUERY_MAX, help_text="The address, in any spelling.")

    def validate_email(self, value: str) -> str:
        """Refuse what is nothing but white space, too."""
        if not value.strip():
            raise serializers.ValidationError("must not be blank.")
        return value


class MetadataInput(serializers.Serializer[None]):
    """Body of a metadata write: any JSON value."""

    value = Json(required=False)


class ReviewInput(serializers.Serializer[None]):
    """Body of a judgement."""

    status = Json(required=False)
    note = Json(required=False)


class UserOutput(serializers.Serializer[None]):
    """An account as an operator sees it."""

    id = serializers.CharField()
    email = serializers.CharField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    failed_attempts = serializers.IntegerField()
    locked = serializers.BooleanField()
    locked_until = serializers.DateTimeField(allow_null=True)


class UserPageOutput(serializers.Serializer[None]):
    """A page of users."""

    users = UserOutput(many=True)
    total = serializers.IntegerField(help_text="Exact up to 100,000; beyond that it may be a minute old.")
    limit = serializers.IntegerField()
    offset = serializers.IntegerField()
    match = serializers.ChoiceField(["exact_email", "browse"])
    query = serializers.CharField()


class ActivityOutput(serializers.Serializer[None]):
    """An event, as far as a list shows it."""

    type = serializers.CharField()
    created_at = serializers.DateTimeField()


class UserDetailOutput(serializers.Serializer[None]):
    """An account in detail."""

    user = UserOutput()
    active_sessions = serializers.IntegerField()
    recent_activity = ActivityOutput(many=True)


class MetadataOutput(serializers.Serializer[None]):
    """A user's metadata."""

    user_id = serializers.CharField()
    metadata = serializers.DictField()
    reserved_claim_names = serializers.ListField(child=serializers.CharField())


class ReviewOutput(serializers.Serializer[None]):
    """A judgement on a flagged event."""

    id = serializers.CharField()
    status = serializers.ChoiceField(Review.Status.values)
    note = serializers.CharField()
    reviewer_id = serializers.CharField()
    updated_at = serializers.DateTimeField()


class AnomalyOutput(serializers.Serializer[None]):
    """A flagged event; `reviewer_id` and `updated_at` are missing while nobody has judged it."""

    id = serializers.CharField()
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

    anomalies = AnomalyOutput(many=True)
    limit = serializers.IntegerField()
    offset = serializers.IntegerField()
    status = serializers.CharField(allow_null=True)
    has_more = serializers.BooleanField()


class HasherOutput(serializers.Serializer[None]):
    """What new hashes are made with."""

    algorithm = serializers.CharField()
    memory_kib = serializers.IntegerField()
    iterations = serializers.IntegerField()
    parallelism = serializers.IntegerField()


class HashMigrationOutput(serializers.Serializer[None]):
    """How far stored hashes have been rewritten. It counts events, not users."""

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

    providers = ProviderHealthOutput(many=True)


class DiagnosisOutput(serializers.Serializer[None]):
    """What is known of an address."""

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

    since = serializers.DateTimeField()
    until = serializers.DateTimeField()
    window_days = serializers.IntegerField()
    suggestions = SuggestionOutput(many=True)
    counts = serializers.DictField(child=serializers.IntegerField())


class LlmProviderInput(serializers.Serializer[None]):
    """Body of a language model setting."""

    kind = Choice(list(LlmKind))
    model = Line(max_length=200)
    api_key = Line(max_length=4096, help_text="Required on every write, and never shown.")
    max_tokens = Whole(min_value=256, max_value=8192, default=DEFAULT_MAX_TOKENS)


class DatabaseProviderInput(serializers.Serializer[None]):
    """Body of a read-only database setting."""

    label = Line(max_length=100)  # type: ignore[assignment]  # the contract's word; DRF takes declared fields away
    dsn = Line(
        max_length=DSN_MAX,
        help_text="`postgresql://USER:PASSWORD@HOST:PORT/DATABASE`, perhaps with "
        f"`?sslmode=` ({', '.join(SSL_MODES)}) and `connect_timeout=`; never shown.",
    )
    max_rows = Whole(min_value=1, max_value=500, default=DEFAULT_MAX_ROWS)


class WidgetInput(serializers.Serializer[None]):
    """Body of a widget setting."""

    enabled = Flag()
    allowed_origins = Items(child=Line(max_length=300), max_length=20, default=list)
    entities = Items(child=Choice(list(Entity)), max_length=8, default=list)
    greeting = Text(max_length=200, default="", help_text="Required when `enabled` is true.")
    placeholder = Text(max_length=200, default="")


class LlmProviderOutput(serializers.Serializer[None]):
    """The language model setting, without its key."""

    kind = serializers.CharField()
    model = serializers.CharField()
    max_tokens = serializers.IntegerField()
    api_key_set = serializers.BooleanField()
    configured = serializers.BooleanField()


class DatabaseProviderOutput(serializers.Serializer[None]):
    """The read-only database setting, without its DSN."""

    label = serializers.CharField()  # type: ignore[assignment]  # the contract's word; DRF takes declared fields away
    max_rows = serializers.IntegerField()
    dsn_set = serializers.BooleanField()
    host = serializers.CharField()
    database = serializers.CharField()
    configured = serializers.BooleanField()


class WidgetOutput(serializers.Serializer[None]):
    """The widget setting."""

    enabled = serializers.BooleanField()
    allowed_origins = serializers.ListField(child=serializers.CharField())
    entities = serializers.ListField(child=serializers.CharField())
    greeting = serializers.CharField()
    placeholder = serializers.CharField()


class DeliveryOutput(serializers.Serializer[None]):
    """A delivery to the webhook. `response_code` is missing while no attempt has got an answer."""

    id = serializers.CharField()
    event_id = serializers.CharField()
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

    deliveries = DeliveryOutput(many=True)
    count = serializers.IntegerField()
    limit = serializers.IntegerField()
    status = serializers.CharField(allow_null=True)
    statuses = serializers.ListField(child=serializers.CharField())


class ShippedLogOutput(serializers.Serializer[None]):
    """A line of the log as it left the house. `shipped_at` is null until the collector takes it."""

    id = serializers.CharField()
    level = serializers.ChoiceField(list(LEVELS))
    message = serializers.CharField()
    fields = serializers.DictField()  # type: ignore[assignment]  # the decided word; DRF takes declared fields away
    shipped_at = serializers.DateTimeField(allow_null=True)


class ShippedLogsOutput(serializers.Serializer[None]):
    """Lines of the log."""

    events = ShippedLogOutput(many=True)
    count = serializers.IntegerField()
    limit = serializers.IntegerField()
    level = serializers.CharField(allow_null=True)
    levels = serializers.ListField(child=serializers.CharField())


class RunOutput(serializers.Serializer[None]):
    """A digest as it was recorded."""

    id = serializers.CharField()
    window_start = serializers.DateTimeField()
    window_end = serializers.DateTimeField()
    generated_at = serializers.DateTimeField()
    text = serializers.CharField()


class DigestHistoryOutput(serializers.Serializer[None]):
    """Recorded digests."""

    runs = RunOutput(many=True)
    count = serializers.IntegerField()
    limit = serializers.IntegerField()
